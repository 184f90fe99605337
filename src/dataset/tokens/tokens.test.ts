import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  chatAfter,
  createTokenEpisodes,
  student,
  teacher,
  type EpisodeBuilder,
} from '../../../test/fixtures/tokens/token-episode.ts';
import { createCallReader } from '../../core/episode/call-log.ts';
import type { StoredEpisode } from '../../core/episode/journal.ts';
import { foldEpisode } from '../../core/episode/record.ts';
import { createRequests } from '../requests/requests.ts';
import { primeRlRows } from './prime-rl.ts';
import { createSkyrlRows } from './skyrl.ts';
import { tokenSegmentsOf, type TokenSegments } from './token-segment.ts';
import { trlRows } from './trl.ts';
import { verlRows } from './verl.ts';

const hand = createTokenEpisodes();
const found = (episode: StoredEpisode): TokenSegments =>
  tokenSegmentsOf(foldEpisode(episode), createCallReader(hand.attachment));

/** Three steps whose prompts only grow: observations are 4 5 and 6. */
function growing(builder: EpisodeBuilder): EpisodeBuilder {
  return builder
    .ask({ prompt: [1, 2, 3], completion: [10, 11] })
    .step()
    .ask({ prompt: [1, 2, 3, 10, 11, 4, 5], completion: [12], logprobs: [-2] })
    .step()
    .ask({ prompt: [1, 2, 3, 10, 11, 4, 5, 12, 6], completion: [13, 14] })
    .step();
}

describe('rows of tokens', () => {
  it('[TOK-10] an episode whose prompts only grow is one row, and its masked tokens are the completion tokens', () => {
    const { stretches: segments, left } = found(growing(hand.begin()).end('passed'));
    expect(left).toEqual([]);
    expect(trlRows(segments)).toEqual([
      expect.objectContaining({
        prompt_ids: [1, 2, 3],
        completion_ids: [10, 11, 4, 5, 12, 6, 13, 14],
        env_mask: [1, 1, 0, 0, 1, 0, 1, 1],
        observation_mask: [0, 0, 1, 1, 0, 1, 0, 0],
        logprobs: [-0.1, -0.1, 0, 0, -2, 0, -0.1, -0.1],
        reward: 1,
        interventions_after: 0,
        model_version: 'v1',
        missing: [],
      }),
    ]);
  });

  it('[TOK-10] each trainer gets the members that it takes', () => {
    const { stretches: segments } = found(growing(hand.begin()).end('failed'));
    expect(verlRows(segments)[0]).toMatchObject({
      prompt_ids: [1, 2, 3],
      response_ids: [10, 11, 4, 5, 12, 6, 13, 14],
      response_mask: [1, 1, 0, 0, 1, 0, 1, 1],
      reward_score: 0,
      num_turns: 6,
      metrics: {},
    });
    expect(primeRlRows(segments)[0]).toMatchObject({
      token_ids: [1, 2, 3, 10, 11, 4, 5, 12, 6, 13, 14],
      mask: [false, false, false, true, true, false, false, true, false, true, true],
      logprobs: [0, 0, 0, -0.1, -0.1, 0, 0, -2, 0, -0.1, -0.1],
      temperatures: null,
      env_name: 'mail',
      missing: ['temperatures'],
    });
  });

  it('[TOK-10] a temperature holds for what is sampled with it, and for what stands before', () => {
    const episode = hand
      .begin()
      .ask({ prompt: [1], completion: [10], temperature: 0.5 })
      .step()
      .ask({ prompt: [1, 10, 2], completion: [11], temperature: 0.7 })
      .step()
      .end('passed');
    expect(primeRlRows(found(episode).stretches)[0]).toMatchObject({ temperatures: [0.5, 0.5, 0.7, 0.7], missing: [] });
  });

  it('[TOK-11] a context that is rewritten starts a new row; no token is in two', () => {
    const episode = hand
      .begin()
      .ask({ prompt: [1, 2], completion: [10] })
      .step()
      .ask({ prompt: [1, 2, 10, 3], completion: [11] })
      .step()
      .ask({ prompt: [9, 8], completion: [12] })
      .step()
      .end('passed');
    expect(trlRows(found(episode).stretches)).toEqual([
      expect.objectContaining({ prompt_ids: [1, 2], completion_ids: [10, 3, 11], env_mask: [1, 0, 1] }),
      expect.objectContaining({ prompt_ids: [9, 8], completion_ids: [12], env_mask: [1] }),
    ]);
  });

  /** The student takes 1 and 2; 2 is rejected and rolled back; the teacher takes 3 instead, the student 4. */
  const corrected = (grow: (builder: EpisodeBuilder) => EpisodeBuilder): StoredEpisode =>
    grow(
      hand
        .begin()
        .ask({ prompt: [1], completion: [10] })
        .step()
        .ask({ prompt: [1, 10, 2], completion: [11] })
        .step(),
    )
      .ask({ by: teacher, question: 'review', prompt: [50], completion: [51] })
      .back(1)
      .ask({ by: teacher, question: 'correct', prompt: [1, 10, 2], completion: [60, 61] })
      .step(teacher)
      .ask({ prompt: [1, 10, 2, 60, 61, 3], completion: [12] })
      .step()
      .end('passed');

  it('[TOK-12] what was rolled back has no part in the reward of what was kept, nor has the teacher', () => {
    const { stretches: segments, left } = found(corrected(builder => builder));
    expect(left).toEqual(['no verdict on where it led']);
    expect(trlRows(segments)).toEqual([
      expect.objectContaining({ prompt_ids: [1], completion_ids: [10], env_mask: [1], interventions_after: 1 }),
      expect.objectContaining({
        prompt_ids: [1, 10, 2, 60, 61, 3],
        completion_ids: [12],
        env_mask: [1],
        interventions_after: 0,
      }),
    ]);
  });

  it('[TOK-12] a rejected branch that was verified by itself is a row of its own, with its own reward', () => {
    const { stretches: segments, left } = found(corrected(builder => builder.leaf('rejected', false)));
    expect(left).toEqual([]);
    expect(trlRows(segments)).toEqual([
      expect.objectContaining({ completion_ids: [10], reward: 1, leaf: 4, leaf_role: 'main' }),
      expect.objectContaining({
        prompt_ids: [1, 10, 2],
        completion_ids: [11],
        env_mask: [1],
        reward: 0,
        leaf: 2,
        leaf_role: 'rejected',
      }),
      expect.objectContaining({ completion_ids: [12], reward: 1, leaf: 4 }),
    ]);
  });

  const told = [{ type: 'text', text: 'That was no use.' }] as const;
  it.each([
    { role: 'user', content: told },
    { role: 'tool', call: '0', content: told },
  ] as const)(
    '[TOK-13] an answer that was no use is sampled all the same; what a $role says of it is no observation',
    said => {
      const complaint = [...chatAfter(0), { role: 'assistant', content: '' } as const, said];
      const episode = hand
        .begin()
        .ask({ prompt: [1], completion: [10], problem: 'no call' })
        .ask({ prompt: [1, 10, 7], completion: [11], messages: complaint })
        .step()
        .end('passed');
      expect(trlRows(found(episode).stretches)).toEqual([
        expect.objectContaining({ completion_ids: [10, 7, 11], env_mask: [1, 0, 1], observation_mask: [0, 0, 0] }),
      ]);
    },
  );

  it('[TOK-13] a step of the teacher between two prompts that grow ends a row: its tokens are in no completion', () => {
    const episode = hand
      .begin()
      .ask({ prompt: [1], completion: [10], problem: 'no call' })
      .ask({ by: teacher, question: 'correct', prompt: [1], completion: [60] })
      .step(teacher)
      .ask({ prompt: [1, 10, 60, 2], completion: [11] })
      .step()
      .end('passed');
    expect(trlRows(found(episode).stretches)).toEqual([
      expect.objectContaining({ prompt_ids: [1], completion_ids: [10], interventions_after: 1 }),
      expect.objectContaining({ prompt_ids: [1, 10, 60, 2], completion_ids: [11], interventions_after: 0 }),
    ]);
  });

  it('[TOK-14] a row has one version of the model: where it changes, another row begins', () => {
    const episode = hand
      .begin()
      .ask({ prompt: [1], completion: [10], version: 'a' })
      .step()
      .ask({ prompt: [1, 10, 2], completion: [11], version: 'b' })
      .step()
      .ask({ prompt: [1, 10, 2, 11, 3], completion: [12], version: null })
      .step()
      .end('passed');
    expect(trlRows(found(episode).stretches)).toEqual([
      expect.objectContaining({ completion_ids: [10], model_version: 'a', missing: [] }),
      expect.objectContaining({ prompt_ids: [1, 10, 2], completion_ids: [11], model_version: 'b', missing: [] }),
      expect.objectContaining({ completion_ids: [12], model_version: null, missing: ['model_version'] }),
    ]);
  });

  it('[TOK-15] without token ids there is no row, without logprobs the row says so', () => {
    const bare = hand
      .begin()
      .ask({})
      .step()
      .ask({ prompt: [1], completion: null })
      .step()
      .ask({ prompt: null, completion: [9] })
      .step()
      .ask({ prompt: [1], completion: [] })
      .step()
      .ask({ prompt: [2], completion: [3], logprobs: null })
      .step()
      .ask({ prompt: [4], completion: [5, 6], logprobs: [-1] })
      .step();
    const { stretches: segments, left } = found(bare.end('passed'));
    expect(left.toSorted()).toEqual([
      'nothing was sampled',
      'the server gave no token ids',
      'the server gave no token ids',
      'the server gave token ids of the answer, and none of the prompt',
    ]);
    expect(trlRows(segments)).toEqual([
      expect.objectContaining({ completion_ids: [3], logprobs: null, missing: ['logprobs'] }),
      expect.objectContaining({ completion_ids: [5, 6], logprobs: null, missing: ['logprobs'] }),
    ]);
  });

  it('[EXP-25] what was asked with a hint, or after one, is in no row', () => {
    const { events, ...episode } = hand
      .begin()
      .ask({ prompt: [1], completion: [2] })
      .step()
      .back(0)
      .ask({ prompt: [1, 99], completion: [] })
      .ask({ prompt: [1, 99], completion: [3] })
      .step()
      .ask({ prompt: [1, 3], completion: [4] })
      .step()
      .end('passed');
    const hinted = events.map(event =>
      event.kind === 'step' && event.node.id === 2 ? { ...event, node: { ...event.node, hint: 'It is 99.' } } : event,
    );
    const stored = { ...episode, events: hinted };
    const { stretches, left } = found(stored);
    expect(stretches.flatMap(({ prompt, completion }) => [...prompt, ...completion])).not.toContain(99);
    expect(left.filter(why => why === 'it was asked with a hint').length).toBeGreaterThanOrEqual(3);
    const requests = createRequests({ source: { attachment: hand.attachment } });
    const record = foldEpisode(stored);
    expect([1, 2, 3].map(node => requests.of(record, node)?.source)).toEqual(['recorded', 'written', 'written']);
  });

  it('[TOK-15] pictures that the model saw are named as missing', () => {
    const image = { type: 'image', mediaType: 'image/png', data: 'AQID' } as const;
    const episode = hand
      .begin()
      .ask({ prompt: [1], completion: [2], messages: [{ role: 'user', content: [image] }] })
      .step()
      .end('passed');
    expect(trlRows(found(episode).stretches)[0]).toMatchObject({ missing: ['images'] });
  });

  it.each([
    ['errored', 'the episode broke'],
    ['discarded', 'no verdict on where it led'],
  ] as const)('[TOK-16] an episode that was %s has no row: a missing verdict is no reward of 0', (outcome, why) => {
    expect(found(growing(hand.begin()).end(outcome))).toEqual({ stretches: [], left: [why, why, why] });
  });

  it('[TOK-17] steps of SkyRL stand next to each other, with the reward on the last token of the last', () => {
    const rowsOf = createSkyrlRows();
    const rows = [
      ...rowsOf(found(growing(hand.begin(0)).end('passed')).stretches),
      ...rowsOf(found(corrected(builder => builder.leaf('rejected', false))).stretches),
    ];
    expect(rows.map(row => row['repetition_id'])).toEqual([0, 0, 0, 1, 1, 2]);
    expect(rows.map(row => row['is_last_step'])).toEqual([false, false, true, false, true, true]);
    expect(new Set(rows.map(row => row['instance_id']))).toEqual(new Set(['hand/0/mail/star-message/1']));
    expect(rows.slice(0, 3)).toEqual([
      expect.objectContaining({ prompt_token_ids: [1, 2, 3], response_ids: [10, 11], rewards: [0, 0] }),
      expect.objectContaining({ prompt_token_ids: [1, 2, 3, 10, 11, 4, 5], response_ids: [12], rewards: [0] }),
      expect.objectContaining({
        response_ids: [13, 14],
        rewards: [0, 1],
        loss_masks: [1, 1],
        stop_reasons: 'tool_calls',
        rollout_logprobs: [-0.1, -0.1],
      }),
    ]);
    expect(rows.map(row => row['response_ids'])).toEqual([[10, 11], [12], [13, 14], [10], [12], [11]]);
  });

  it('[TOK-18] in any episode, each token that the student sampled is trained on once or accounted for', () => {
    // Token ids are unique, so that any that comes twice is found.
    const anyMoves = fc.array(
      fc.record({
        who: fc.constantFrom('student', 'student', 'student', 'teacher'),
        back: fc.boolean(),
        isUsable: fc.boolean(),
        rewrites: fc.boolean(),
        leaf: fc.constantFrom(null, null, true, false),
        version: fc.constantFrom('a', 'a', 'b'),
        sampled: fc.nat({ max: 3 }),
      }),
      { maxLength: 14 },
    );
    fc.assert(
      fc.property(anyMoves, fc.constantFrom('passed' as const, 'failed' as const), (moves, outcome) => {
        const builder = hand.begin();
        const contexts = new Map<number, readonly number[]>([[0, [1]]]);
        const sampled = new Set<number>();
        const taught = new Set<number>();
        let [at, nodes, next, asked] = [0, 0, 2, 0];
        const fresh = (length: number): number[] => Array.from({ length }, () => next++);
        for (const { who, back, rewrites, leaf, version, sampled: length, ...move } of moves) {
          const isUsable = move.isUsable || who === 'teacher';
          const prompt = rewrites ? fresh(2) : (contexts.get(at) ?? []);
          const completion = fresh(length);
          const by = who === 'student' ? student : teacher;
          const question = who === 'student' ? 'act' : 'correct';
          builder.ask({ by, question, prompt, completion, version, ...(isUsable ? {} : { problem: 'no use' }) });
          for (const token of completion) (who === 'student' ? sampled : taught).add(token);
          asked += who === 'student' ? 1 : 0;
          const context = [...prompt, ...completion, ...fresh(1)];
          if (!isUsable) contexts.set(at, context);
          else {
            builder.step(by);
            at = ++nodes;
            contexts.set(at, context);
            if (leaf !== null) builder.leaf('rejected', leaf);
            if (back) {
              at = 0;
              builder.back(0);
            }
          }
        }
        const { stretches: segments, left } = found(builder.end(outcome));
        const trained = segments.flatMap(({ completion, kinds }) =>
          completion.filter((_, index) => kinds[index] === 'action'),
        );
        expect(new Set(trained).size).toBe(trained.length);
        expect(trained.filter(token => !sampled.has(token) || taught.has(token))).toEqual([]);
        expect(segments.reduce((sum, { turns }) => sum + turns.length, left.length)).toBe(asked);
        for (const segment of segments) {
          expect(segment.kinds).toHaveLength(segment.completion.length);
          expect(segment.logprobs).toHaveLength(segment.completion.length);
          expect(new Set(segment.turns.map(({ call }) => call.reply.version)).size).toBe(1);
          expect(segment.completion.filter(token => taught.has(token))).toEqual([]);
        }
      }),
      { numRuns: 300 },
    );
  });
});
