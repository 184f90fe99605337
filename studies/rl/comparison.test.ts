import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Evaluation } from '../../src/analysis/evaluate.ts';
import { createSystemHost } from '../../src/system/workers/host.ts';
import { atCommonBudget, type RlArmResult } from './arm-result.ts';
import { compareEstimators, rlArms, type RlComparisonOptions } from './comparison.ts';

const folder = mkdtempSync(join(tmpdir(), 'espalier-study-'));
afterAll(() => rmSync(folder, { recursive: true }));

const options: RlComparisonOptions = {
  folder,
  environments: [join(import.meta.dirname, '../../examples/library/library.ts')],
  unseen: [],
  arms: rlArms.filter(({ label }) => ['GRPO', 'GRPO, forks', 'SRC, then GiGPO'].includes(label)),
  steps: 60,
  seeds: 2,
  group: 4,
  instances: 1,
  srcRounds: 1,
  learning: {
    temperature: 1,
    rate: 0.5,
    epochs: 1,
    batch: 64,
    longest: 1,
    clipLow: 0.2,
    clipHigh: 0.2,
    kl: 0,
    entropy: 0,
  },
  evaluateEvery: 9,
  evaluationInstances: 1,
  host: createSystemHost({ workers: 0 }),
  signal: new AbortController().signal,
};

const evaluation: Evaluation = {
  student: 'one',
  round: 0,
  newInstances: null,
  heldOut: null,
  heldOut2: null,
  heldOut3: null,
  newComposition: null,
  unseenSkill: null,
  unseenApps: null,
  trials: [],
};

describe('comparison of estimators', () => {
  it('[RL-8] compares arms where none had spent more than the thriftiest, in any currency', () => {
    const at = (steps: number, verifierCalls: number, updates: number) => ({
      round: updates,
      cost: { steps, verifierCalls, updates, queries: 0 },
      evaluation,
    });
    const arm = (label: string, points: readonly ReturnType<typeof at>[]) =>
      ({ label, points, cost: points.at(-1)?.cost }) as RlArmResult;
    const thrifty = arm('few steps', [at(0, 0, 0), at(50, 40, 5), at(100, 80, 10)]);
    const other = arm('few calls', [at(0, 0, 0), at(90, 10, 5), at(180, 20, 9)]);
    const { budget, points, tooEarly } = atCommonBudget([thrifty, other]);
    expect(budget).toEqual({ steps: 100, verifierCalls: 20, updates: 9 });
    // An arm at 0 steps is not set against one at 90.
    expect(points.map(({ label, round }) => [label, round])).toEqual([['few calls', 5]]);
    expect(tooEarly).toEqual([{ label: 'few steps', next: at(50, 40, 5).cost }]);
    const often = arm('few steps', [at(0, 0, 0), at(25, 18, 2), at(50, 40, 5), at(100, 80, 10)]);
    expect(atCommonBudget([often, other]).points.map(({ label, round }) => [label, round])).toEqual([
      ['few steps', 2],
      ['few calls', 5],
    ]);
  });

  it('[RL-7] gives every arm the same steps, all seeds in one interval, and the same again when it goes on', async () => {
    const found = await compareEstimators(options);
    expect(found?.arms.map(({ label }) => label)).toEqual(['GRPO', 'GRPO, forks', 'SRC, then GiGPO']);
    for (const { final, points, episodesTo80 } of found?.arms ?? []) {
      expect(new Set(final.trials.map(({ seed }) => seed)).size).toBe(2);
      expect(points[0]).toMatchObject({ round: 0 });
      expect(episodesTo80).toHaveLength(2);
    }
    // The student may do no better than what needs none.
    const baselines = ['untrained', 'random', 'infeasible', 'frequent ending', 'replay', 'planner'];
    expect(found?.baselines.map(({ student }) => student)).toEqual(baselines);
    expect(found?.baselines.at(-1)?.newInstances?.overall.rate).toBe(1);
    const [whole, forks, both] = found?.arms ?? [];
    // Rounds begin as long as there are steps left.
    for (const arm of [whole, forks, both]) expect(arm?.cost.steps).toBeGreaterThanOrEqual(options.steps);
    // The verifier judges every attempt once, and every round here changes the student at most once.
    for (const arm of [whole, forks]) expect(arm?.cost.verifierCalls).toBe(arm?.attempts);
    expect(whole?.points[0]?.cost).toEqual({ steps: 0, verifierCalls: 0, updates: 0, queries: 0 });
    expect(whole?.sharedSteps).toBe(0);
    expect(forks?.sharedSteps).toBeGreaterThan(0);
    // What SRC took before counts for the arm that begins with it.
    const src = found?.src?.cost;
    expect(src).toMatchObject({ updates: options.srcRounds, queries: both?.cost.queries });
    expect(both?.points[0]?.cost).toEqual(src);
    expect(src?.queries).toBeGreaterThan(0);
    expect(src?.verifierCalls).toBeGreaterThan(0);
    const again = await compareEstimators(options);
    expect(again).toEqual(found);
  });

  it('[RL-7] compares with the first student when every arm begins with SRC', async () => {
    const arms = rlArms.filter(({ afterSrc }) => afterSrc === true);
    const found = await compareEstimators({ ...options, folder: join(folder, 'src-alone'), arms, steps: 20, seeds: 1 });
    expect(found?.arms.map(({ label }) => label)).toEqual(['SRC, then GiGPO']);
    expect(found?.start.newInstances?.overall.rate).not.toBeNull();
    expect(found?.arms[0]?.change.newInstances).not.toBeNull();
  });
});
