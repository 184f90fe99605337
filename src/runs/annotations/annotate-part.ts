import { createAnnotator, groupId, type AnnotateOptions } from '../../analysis/signals/annotate-episodes.ts';
import type { EpisodeHead } from '../../core/episode/events.ts';

/** What was said of an episode or of a group, as lines of the file of annotations. */
export interface AnnotatedLines {
  /** That of `episodeId`, or of `groupId`. */
  readonly id: string;
  /** Each with its line break; '' when nothing was said of a group. */
  readonly lines: string;
}

/** One of several parts of a run. All episodes of a task are in the same part. */
export interface RunPart {
  readonly index: number;
  readonly count: number;
}

export function episodeId({ run, key }: EpisodeHead): string {
  return `${run} ${key}`;
}

/** Index of the part that has this episode: from its task alone, so that every thread finds the same. */
export function partOf(head: EpisodeHead, count: number): number {
  const id = groupId(head);
  let hash = 0;
  for (let place = 0; place < id.length; place++) hash = (Math.imul(hash, 31) + id.charCodeAt(place)) | 0;
  return (hash >>> 0) % count;
}

/** Annotates the episodes of a part, then its groups. */
export async function* annotatePart({ episodes, ...options }: AnnotateOptions): AsyncGenerator<AnnotatedLines> {
  const annotator = createAnnotator(options);
  for (const stored of episodes) {
    const said = await annotator.episode(stored);
    yield { id: episodeId(stored.head), lines: `${JSON.stringify(said)}\n` };
  }
  for (const { id, lines } of annotator.groups())
    yield { id, lines: lines.map(line => `${JSON.stringify(line)}\n`).join('') };
}

const batchSize = 32;

/** Several at once: a message to another thread costs more than a line. Lines before an error are given before it. */
export async function* inBatches(lines: AsyncIterable<AnnotatedLines>): AsyncGenerator<readonly AnnotatedLines[]> {
  let batch: AnnotatedLines[] = [];
  try {
    for await (const one of lines) {
      batch.push(one);
      if (batch.length < batchSize) continue;
      yield batch;
      batch = [];
    }
  } catch (cause) {
    yield batch;
    throw cause;
  }
  yield batch;
}
