import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scriptedEpisode, sourceOf } from '../../../../test/fixtures/episodes.ts';
import { createTokenEpisodes } from '../../../../test/fixtures/tokens/token-episode.ts';
import { exportAs, toolsOf, unzipped } from '../../../../test/fixtures/trajectories/exported.ts';
import type { StoredEpisode } from '../../../core/episode/journal.ts';
import { foldEpisode } from '../../../core/episode/record.ts';
import { createRequests } from '../../requests/requests.ts';

interface Event {
  readonly event: string;
  readonly uuid: string;
  readonly span_id: string;
  readonly id?: string;
  readonly parent_id?: string;
  readonly type?: string;
  readonly anchor_id?: string;
  readonly from_anchor?: string;
  readonly input_refs?: readonly [number, number][];
  readonly output?: { readonly choices: readonly { readonly message: InspectMessage }[] };
  readonly metadata?: { readonly node: number };
  readonly score?: { readonly value: number };
  readonly intermediate?: boolean;
}

interface InspectMessage {
  readonly id: string;
  readonly role: string;
  readonly content: unknown;
  readonly tool_calls?: readonly { readonly id: string; readonly function: string; readonly arguments: unknown }[];
  readonly tool_call_id?: string;
}

interface TimelineSpan {
  readonly id: string;
  readonly branched_from: string | null;
  readonly content: readonly { readonly event: string }[];
  readonly branches: readonly TimelineSpan[];
}

interface Sample {
  readonly id: string;
  readonly epoch: number;
  readonly messages: readonly InspectMessage[];
  readonly events: readonly Event[];
  readonly events_data: { readonly messages: readonly InspectMessage[] };
  readonly scores?: { readonly verifier: { readonly value: number } };
  readonly error?: { readonly message: string };
  readonly timelines?: readonly { readonly root: TimelineSpan }[];
}

interface Header {
  readonly eval: { readonly task: string; readonly model: string; readonly dataset: { readonly samples: number } };
  readonly results: {
    readonly total_samples: number;
    readonly completed_samples: number;
    readonly scores: readonly {
      readonly scored_samples: number;
      readonly unscored_samples: number;
      readonly metrics: { readonly accuracy?: { readonly value: number } };
    }[];
  };
}

function logOf(episodes: readonly StoredEpisode[], source = sourceOf(episodes)) {
  const { folder, files } = exportAs('inspect', episodes, source);
  expect(files).toHaveLength(1);
  const members = unzipped(join(folder, files[0]?.name ?? ''));
  const samples = Object.entries(members)
    .filter(([name]) => name.startsWith('samples/'))
    .map(([, sample]) => sample as Sample);
  return { members, samples, header: members['header.json'] as Header };
}

function inputOf({ events_data: { messages } }: Sample, { input_refs: ranges = [] }: Event): InspectMessage[] {
  return ranges.flatMap(([from, to]) => messages.slice(from, to));
}

/** A message of Inspect in the shape of a row. */
function asRow({ role, content, tool_calls: calls, tool_call_id: call }: InspectMessage): unknown {
  return {
    role,
    content,
    ...(calls === undefined
      ? {}
      : {
          tool_calls: calls.map(({ id, function: name, arguments: input }) => ({
            id,
            type: 'function',
            function: { name, arguments: input },
          })),
        }),
    ...(call === undefined ? {} : { tool_call_id: call }),
  };
}

describe('logs of Inspect', () => {
  it('[TRJ-1] have a sample for every episode, its requests byte by byte as rows have them', async () => {
    const episode = await scriptedEpisode({ slips: 2 });
    const record = foldEpisode(episode);
    const requests = createRequests({ source: { attachment: () => null }, toolsOf });
    const { samples, members } = logOf([episode]);
    expect(Object.keys(members)).toEqual([
      'samples/star-message-1_epoch_1.json',
      '_journal/start.json',
      '_journal/summaries/1.json',
      'summaries.json',
      'header.json',
    ]);
    const [sample] = samples as [Sample];
    const asked = sample.events.filter(({ event }) => event === 'model');
    expect(asked).toHaveLength(record.tree.record().nodes.length);
    for (const event of asked) {
      const node = event.metadata?.node ?? 0;
      const row = requests.of(record, node);
      expect(inputOf(sample, event).map(asRow)).toEqual(row?.messages);
      expect(asRow(event.output?.choices[0]?.message as InspectMessage)).toEqual(row?.answer(node));
    }
    const last = asked.findLast(({ span_id: span }) => span === 'agent') as Event;
    expect(sample.messages.slice(0, -1)).toEqual(inputOf(sample, last));
  });

  it('[PYT-23] have messages of their own in every sample, and scores that can be computed again', async () => {
    const episodes = await Promise.all([1, 2].map(seed => scriptedEpisode({ seed, slips: 1 })));
    const { samples, members } = logOf(episodes);
    const ids = samples.flatMap(({ events_data: { messages } }) => messages.map(({ id }) => id));
    expect(samples).toHaveLength(2);
    expect(new Set(ids).size).toBe(ids.length);
    const { eval: spec } = members['header.json'] as { eval: { scorers: unknown; config: unknown } };
    expect(spec.scorers).toEqual([{ name: 'verifier', metrics: [{ name: 'inspect_ai/accuracy' }] }]);
  });

  it('[TRJ-2] have every branch as a branch that leaves the lane of its parent at an anchor', async () => {
    const episode = await scriptedEpisode({ slips: 2, branch: 'failing' });
    const [sample] = logOf([episode]).samples as [Sample];
    const branches = sample.events.filter(({ event }) => event === 'branch');
    expect(branches).toHaveLength(2);
    for (const { span_id: span, from_anchor: from } of branches) {
      const begin = sample.events.find(({ event, id }) => event === 'span_begin' && id === span);
      const anchor = sample.events.findIndex(({ anchor_id: id }) => id === from);
      expect(begin?.type).toBe('branch');
      expect(sample.events[anchor]?.span_id).toBe(begin?.parent_id);
      expect(anchor).toBeLessThan(sample.events.indexOf(begin as Event));
    }
    const taken = sample.events.filter(({ event }) => event === 'tool').map(({ metadata }) => metadata?.node);
    expect(taken.toSorted((left, right) => (left ?? 0) - (right ?? 0))).toEqual(
      foldEpisode(episode)
        .tree.record()
        .nodes.map(({ id }) => id),
    );
    const scores = sample.events.filter(({ event }) => event === 'score');
    expect(scores.map(({ score, intermediate }) => [score?.value, intermediate])).toEqual([
      [0, true],
      [0, true],
      [1, false],
    ]);
  });

  it('[TRJ-2] have branches of branches in a timeline', () => {
    const episodes = createTokenEpisodes();
    const stored = episodes
      .begin()
      .step()
      .step()
      .step()
      .back(2)
      .step()
      .leaf('sample', false)
      .back(0)
      .step()
      .end('passed');
    const [sample] = logOf([stored], episodes.sourceOf([stored])).samples as [Sample];
    const [timeline] = sample.timelines as NonNullable<Sample['timelines']>;
    const nodesOf = ({ content }: TimelineSpan) =>
      content
        .map(({ event }) => sample.events.find(({ uuid }) => uuid === event))
        .filter(event => event?.event === 'tool')
        .map(event => event?.metadata?.node);
    const { root } = timeline as { root: TimelineSpan };
    expect(nodesOf(root)).toEqual([5]);
    const [branch] = root.branches as [TimelineSpan];
    expect([branch.branched_from, nodesOf(branch)]).toEqual(['node-0', [1, 2, 4]]);
    const [nested] = branch.branches as [TimelineSpan];
    expect([nested.branched_from, nodesOf(nested)]).toEqual(['node-2', [3]]);
  });

  it('[TRJ-3] score nothing that has no verdict, and count it as not scored', async () => {
    const { samples, header } = logOf([
      await scriptedEpisode({ index: 0, seed: 1 }),
      await scriptedEpisode({ index: 1, seed: 2, outcome: 'failed' }),
      await scriptedEpisode({ index: 2, seed: 3, outcome: 'discarded' }),
      await scriptedEpisode({ index: 3, seed: 4, outcome: 'errored' }),
    ]);
    expect(samples.map(({ scores }) => scores?.verifier.value)).toEqual([1, 0, undefined, undefined]);
    expect(samples.map(({ error }) => error?.message)).toEqual([
      undefined,
      undefined,
      undefined,
      'policy: the policy threw',
    ]);
    const { results } = header;
    expect([results.total_samples, results.completed_samples]).toEqual([4, 3]);
    expect(results.scores[0]).toMatchObject({
      scored_samples: 2,
      unscored_samples: 2,
      metrics: { accuracy: { value: 0.5 } },
    });
  });

  it('[TRJ-3] do not score what has to be certified and is not', async () => {
    const plain = await scriptedEpisode();
    const uncertified: StoredEpisode = { ...plain, end: { ...plain.end, certification: 'by-replay' } };
    const certificate = { result: 'agreed', leaf: plain.end.leaf, milliseconds: 1 } as const;
    expect(logOf([uncertified]).samples[0]?.scores).toBeUndefined();
    expect(logOf([{ ...uncertified, certificates: [certificate] }]).samples[0]?.scores?.verifier.value).toBe(1);
  });

  it('[TRJ-1] have a log for each environment, student and round, and samples of one name apart', async () => {
    const first = await scriptedEpisode({ index: 0 });
    const again: StoredEpisode = { ...first, head: { ...first.head, key: `${first.head.key}/again`, index: 1 } };
    const later = await scriptedEpisode({ index: 2, round: 1 });
    const evaluated = await scriptedEpisode({ index: 3, phase: 'evaluate' });
    const { files } = exportAs('inspect', [first, again, later, evaluated]);
    expect(files.map(({ name, trajectories }) => [name, trajectories])).toEqual([
      ['collect_round-0_mail_stumbling_speculative-rollback.eval', 2],
      ['collect_round-1_mail_stumbling_speculative-rollback.eval', 1],
      ['evaluate_round-0_mail_stumbling_speculative-rollback.eval', 1],
    ]);
  });
});
