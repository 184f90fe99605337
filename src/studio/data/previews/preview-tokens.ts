import { createCallReader } from '../../../core/episode/call-log.ts';
import type { EpisodeRecord } from '../../../core/episode/record.ts';
import { tokenSegmentsOf, type TokenSegment } from '../../../dataset/tokens/token-segment.ts';
import type { TokenPreview, TokenSegmentPreview, TokenView } from '../../api/api-episodes.ts';
import type { StoreListing } from '../../../store/listing.ts';

/** Tokens of one segment that are sent. */
const mostTokens = 4000;
const mostSegments = 50;

/** The rows of tokens of an episode, as `espalier export --tokens` masks them. None of an evaluation. */
export function previewTokens({ attachment }: StoreListing, record: EpisodeRecord): TokenPreview {
  if (record.head.phase !== 'collect' || record.head.task.split !== 'train') return { segments: [], left: [] };
  const { stretches, left } = tokenSegmentsOf(record, createCallReader(attachment));
  return {
    segments: stretches.slice(0, mostSegments).map(segmentPreview),
    left: [...Map.groupBy(left, why => why)].map(([why, calls]) => ({ why, calls: calls.length })),
  };
}

const views = { action: 'learned', observation: 'observation', other: 'other' } as const;

function segmentPreview({ leaf, prompt, completion, kinds, logprobs }: TokenSegment): TokenSegmentPreview {
  const tokens = [
    ...prompt.map((id): TokenView => ({ id, kind: 'prompt', logprob: null })),
    ...completion.map((id, index): TokenView => {
      const kind = views[kinds[index] ?? 'other'];
      return { id, kind, logprob: kind === 'learned' ? (logprobs?.[index] ?? null) : null };
    }),
  ];
  // The end of a long segment: what is learned stands there.
  return {
    leaf: leaf.leaf,
    tokens: tokens.slice(-mostTokens),
    length: tokens.length,
    learned: tokens.filter(({ kind }) => kind === 'learned').length,
  };
}
