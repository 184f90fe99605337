import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gigpoAgain } from '../../../test/fixtures/credit/gigpo-again.ts';
import { createTokenEpisodes, teacher } from '../../../test/fixtures/tokens/token-episode.ts';
import type { CreditTrajectory } from '../credit/contract.ts';
import { createCredit } from '../credit/credit.ts';
import { requireCredit } from '../../../test/fixtures/require-credit.ts';
import { estimators } from '../credit/estimators.ts';
import { exportDataset } from '../export-dataset.ts';
import { readManifest, type Manifest } from '../rows/manifest.ts';

const folder = mkdtempSync(join(tmpdir(), 'espalier-credit-'));
afterAll(() => rmSync(folder, { recursive: true }));

const hand = createTokenEpisodes();
/** Asks with everything said so far, and takes the step that was answered. */
function answers(builder: ReturnType<typeof hand.begin>, tokens: readonly number[], from: readonly number[] = [1]) {
  const said = [...from];
  for (const token of tokens) {
    builder.ask({ prompt: [...said], completion: [token, token + 1], temperature: 1 }).step();
    said.push(token, token + 1, 5);
  }
  return builder;
}
const episodes = [
  answers(hand.begin(0), [10, 20, 30]).end('passed'),
  answers(hand.begin(1), [40, 50]).end('failed'),
  // Two branches after a shared first step.
  answers(answers(hand.begin(2), [60, 70]).leaf('sample', false).back(1), [80], [1, 60, 61, 5]).end('passed'),
  answers(answers(hand.begin(3), [90]).step(teacher), [95], [1, 90, 91, 5, 2]).end('failed'),
  answers(hand.begin(4), [99]).end('discarded'),
];
const trainers = ['trl', 'verl', 'skyrl', 'prime-rl'] as const;

interface StepRow {
  readonly episode: string;
  readonly leaf: number;
  readonly step: number;
  readonly node: number;
  readonly digest: string;
  readonly reward: number;
  readonly advantage: number;
  readonly loss_mask: number;
  readonly group: string;
}

function linesOf<T>(name: string): T[] {
  return readFileSync(join(folder, name), 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as T);
}

/** Tries that differ in how likely their steps were and in how they ended. */
const unlike = [
  hand
    .begin(0)
    .ask({ prompt: [1], completion: [2, 3, 4], logprobs: [-1, -2, -3] })
    .step(),
  hand
    .begin(1)
    .ask({ prompt: [1], completion: [5], logprobs: [-0.25] })
    .step(),
  hand
    .begin(2)
    .ask({ prompt: [1], completion: [6, 7], logprobs: [-0.5, -0.75] })
    .step(),
].map((builder, place) => {
  const { events, ...rest } = builder
    .ask({ prompt: [1, 2], completion: [8], logprobs: [-place - 0.1] })
    .step()
    .end(place === 2 ? 'failed' : 'passed');
  const isDeclared = place === 0;
  return {
    ...rest,
    events: events.map(event => {
      if (event.kind !== 'step') return event;
      const ended = event.node.id === 2 && isDeclared ? { end: 'terminated' as const } : {};
      return { ...event, node: { ...event.node, outcome: { ...event.node.outcome, ...ended } } };
    }),
  };
});

/** Two agents in turn. */
function asTeam({ events, ...rest }: (typeof unlike)[number]): (typeof unlike)[number] {
  const signed = events.map(event => {
    if (event.kind !== 'step') return event;
    const role = event.node.id % 2 === 0 ? 'writer' : 'reader';
    return { ...event, node: { ...event.node, outcome: { ...event.node.outcome, role } } };
  });
  return { ...rest, events: signed };
}

interface FullRow extends StepRow {
  readonly action: string;
  readonly applied: boolean;
  readonly actor_role: 'student' | 'teacher';
  readonly agent: string | null;
  readonly next_digest: string;
  readonly logprob: number | null;
  readonly entropy: number | null;
  readonly sampled_tokens: number | null;
  readonly progress: number;
  readonly ended_by: 'declared' | 'aborted' | 'overdue';
  readonly clean: boolean;
}

/** The trajectories of one group, from the rows of the file alone. */
function trajectoriesIn(rows: readonly FullRow[]): CreditTrajectory[] {
  return [...Map.groupBy(rows, ({ episode, leaf }) => `${episode}#${leaf}`)].map(([id, own]) => {
    const { reward, progress, clean, ended_by: by } = own[0] as FullRow;
    const steps = own.map(row => ({
      state: row.digest,
      after: row.next_digest,
      action: row.action,
      node: `${row.episode}:${row.node}`,
      actor: row.actor_role,
      applied: row.applied,
      logprob: row.logprob,
      entropy: row.entropy,
      ...(row.agent === null ? {} : { role: row.agent }),
      ...(row.sampled_tokens === null ? {} : { tokens: row.sampled_tokens }),
    }));
    return { id, reward, steps, end: { progress, clean, by } };
  });
}

describe('export with advantages', () => {
  let manifest: Manifest;
  let steps: StepRow[];
  beforeAll(() => {
    manifest = exportDataset({
      source: hand.sourceOf(episodes),
      folder,
      formats: ['jsonl'],
      tokens: trainers,
      advantage: { estimator: estimators.need('gigpo') },
      toolsOf: () => [],
    });
    steps = linesOf<StepRow>('advantages.jsonl');
  });

  it('[CREDIT-23] says what became of groups, and of trajectories without a verdict', () => {
    expect(manifest.credit).toEqual({
      estimator: 'gigpo',
      options: {},
      groups: 1,
      credited: 1,
      trajectories: 5,
      unverified: 1,
      left: {},
    });
    expect(readManifest(folder)).toEqual(manifest);
    expect(new Set(steps.map(({ group }) => group)).size).toBe(1);
  });

  it('[CREDIT-20] has advantages that can be computed again from the file alone', () => {
    expect(steps).toHaveLength(3 + 2 + 2 + 2 + 3);
    const again = gigpoAgain(steps);
    for (const [place, { advantage }] of steps.entries()) expect(advantage).toBeCloseTo(again[place] as number, 9);
    expect(new Set(again.map(value => value.toFixed(6))).size).toBeGreaterThan(3);
  });

  it.each(['xrpo', 'dart', 'mobilegym', 'spa', 'portool', 'm-grpo'])(
    '[CREDIT-20] has all that %s reads in the file',
    name => {
      const own = join(folder, name);
      const estimator = estimators.need(name);
      exportDataset({
        source: hand.sourceOf(name === 'm-grpo' ? unlike.map(asTeam) : unlike),
        folder: own,
        formats: ['jsonl'],
        advantage: { estimator },
        toolsOf: () => [],
      });
      const rows = linesOf<FullRow>(join(name, 'advantages.jsonl'));
      const credit = createCredit(estimator)({ id: 'again', trajectories: trajectoriesIn(rows) });
      const again = requireCredit(credit);
      expect(again.flatMap(({ mask }) => mask.map(Number))).toEqual(rows.map(row => row.loss_mask));
      for (const [place, value] of again.flatMap(({ advantages }) => advantages).entries())
        expect(value).toBeCloseTo(rows[place]?.advantage as number, 9);
    },
  );

  it('[CREDIT-16] an agent that is alone has no role to be compared by: nothing is written', () => {
    const alone = () =>
      exportDataset({
        source: hand.sourceOf(unlike),
        folder: join(folder, 'alone'),
        formats: ['jsonl'],
        advantage: { estimator: estimators.need('m-grpo') },
        toolsOf: () => [],
      });
    expect(alone).toThrow('have no role');
    expect(existsSync(join(folder, 'alone', 'manifest.json'))).toBe(false);
  });

  it('[CREDIT-23] counts no step of a teacher', () => {
    expect(steps.filter(row => row.loss_mask === 0).map(({ episode, node }) => `${episode} ${node}`)).toEqual([
      expect.stringMatching(/3 2$/),
    ]);
  });

  /** What a token of this answer should have: the mean over the trajectories that share the step. */
  function expectedAt(row: { episode: string; leaf: number }, asked: number): number {
    const own = steps.filter(({ episode, leaf }) => episode === row.episode && leaf === row.leaf);
    const place = asked === 0 ? 0 : own.findIndex(({ node }) => node === asked) + 1;
    const shared = steps.filter(({ episode, node }) => episode === row.episode && node === own[place]?.node);
    return shared.reduce((sum, { advantage }) => sum + advantage, 0) / shared.length;
  }

  it.each([
    ['verl', 'response_mask'],
    ['trl', 'env_mask'],
    ['skyrl', 'loss_masks'],
    ['prime-rl', 'mask'],
  ])('[CREDIT-21] has the advantage of its step on every sampled token of %s, and 0 elsewhere', (trainer, maskName) => {
    type TokenRow = { episode: string; leaf: number; nodes: number[]; advantages: number[]; advantage_mask: number[] };
    const rows = linesOf<TokenRow & Record<string, (number | boolean)[]>>(`tokens-${trainer}.jsonl`);
    let sampled = 0;
    for (const row of rows) {
      const mask = (row[maskName] as (number | boolean)[]).map(Number);
      expect(row.advantage_mask).toEqual(mask);
      expect(row.advantages).toHaveLength(mask.length);
      let answer = -1;
      for (const [token, isSampled] of mask.entries()) {
        if (isSampled === 1 && mask[token - 1] !== 1) answer++;
        const expected = isSampled === 1 ? expectedAt(row, row.nodes[answer] as number) : 0;
        expect(row.advantages[token]).toBeCloseTo(expected, 9);
        sampled += isSampled;
      }
      expect(answer + 1).toBe(row.nodes.length);
    }
    // Two tokens for each of the ten answers that led to a verdict.
    expect(sampled).toBe(20);
  });

  it('[CREDIT-21] leaves out tokens of groups without advantages, and says why', () => {
    const alone = exportDataset({
      source: hand.sourceOf(episodes.slice(1, 2)),
      folder,
      formats: ['jsonl'],
      tokens: ['verl'],
      advantage: { estimator: estimators.need('grpo') },
      toolsOf: () => [],
    });
    expect(alone.credit).toMatchObject({ groups: 1, credited: 0, left: { 'group-of-one': 1 } });
    expect(alone.tokens).toEqual({ calls: 2, sampled: 0, left: { 'its group has no advantages': 2 } });
    expect(readFileSync(join(folder, 'advantages.jsonl'), 'utf8')).toBe('');
  });

  it('[CREDIT-25] masks observations apart from actions', () => {
    exportDataset({
      source: hand.sourceOf(episodes.slice(0, 2)),
      folder,
      formats: ['jsonl'],
      tokens: ['verl'],
      advantage: { estimator: estimators.need('echo-env'), options: { lambda: 0.25 } },
      toolsOf: () => [],
    });
    const [row] = linesOf<Record<string, number[]>>('tokens-verl.jsonl');
    expect(row?.['observation_weights']).toEqual([0, 0, 0.25, 0, 0, 0.25, 0, 0]);
    expect(row?.['advantage_mask']).toEqual([1, 1, 0, 1, 1, 0, 1, 1]);
  });

  it('[CREDIT-24] compares the rounds of a task, and leaves out tasks of one round', () => {
    const inRound = (round: number, index: number, outcome: 'passed' | 'failed') => {
      const stored = answers(hand.begin(index), [10]).end(outcome);
      return { ...stored, head: { ...stored.head, round } };
    };
    const written = (tries: readonly ReturnType<typeof inRound>[]) =>
      exportDataset({
        source: hand.sourceOf(tries),
        folder,
        formats: ['jsonl'],
        advantage: { estimator: estimators.need('skill-r1') },
        toolsOf: () => [],
      }).credit;
    const first = [inRound(1, 0, 'failed'), inRound(1, 1, 'failed')];
    const second = [inRound(2, 2, 'failed'), inRound(2, 3, 'passed')];
    expect(written([...first, ...second])).toMatchObject({ groups: 1, credited: 1, trajectories: 4 });
    const rows = linesOf<StepRow>('advantages.jsonl');
    // The second round gained .5 on the first.
    expect(rows.map(({ advantage }) => advantage)).toEqual([0, 0, 0, 1]);
    expect(new Set(rows.map(({ group }) => group)).size).toBe(1);
    expect(written(second)).toMatchObject({ groups: 1, credited: 0, left: { 'no-generation': 1 } });
  });

  it('[CREDIT-20] leaves nothing behind in an export without advantages', () => {
    exportDataset({ source: hand.sourceOf(episodes), folder, formats: ['jsonl'], tokens: ['verl'], toolsOf: () => [] });
    expect(existsSync(join(folder, 'advantages.jsonl'))).toBe(false);
    expect(linesOf<object>('tokens-verl.jsonl')[0]).not.toHaveProperty('advantages');
  });

  it('[CREDIT-1] names an option that the estimator does not have', () => {
    const wrong = (options: object): unknown =>
      exportDataset({
        source: hand.sourceOf(episodes),
        folder,
        advantage: { estimator: estimators.need('gigpo'), options: options as Record<string, unknown> },
        toolsOf: () => [],
      });
    expect(() => wrong({ gamma: 2 })).toThrow(
      'The set of options of the estimator "gigpo" is not valid. Expected: gamma',
    );
    expect(() => wrong({ delta: 1 })).toThrow('delta');
  });
});
