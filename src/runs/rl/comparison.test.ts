import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createSystemHost } from '../../system/host.ts';
import { compareEstimators, rlArms, type RlComparisonOptions } from './comparison.ts';

const folder = mkdtempSync(join(tmpdir(), 'espalier-study-'));
afterAll(() => rmSync(folder, { recursive: true }));

const options: RlComparisonOptions = {
  folder,
  environments: [join(import.meta.dirname, '../../../examples/library/library.ts')],
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

describe('comparison of estimators', () => {
  it('[RL-7] gives every arm the same steps, all seeds in one interval, and the same again when it goes on', async () => {
    const found = await compareEstimators(options);
    expect(found?.arms.map(({ label }) => label)).toEqual(['GRPO', 'GRPO, forks', 'SRC, then GiGPO']);
    for (const { final, points, episodesTo80 } of found?.arms ?? []) {
      expect(new Set(final.trials.map(({ seed }) => seed)).size).toBe(2);
      expect(points[0]).toMatchObject({ round: 0, steps: 0, episodes: 0 });
      expect(episodesTo80).toHaveLength(2);
    }
    // The student may do no better than what needs none.
    const baselines = ['untrained', 'random', 'infeasible', 'frequent ending', 'replay', 'planner'];
    expect(found?.baselines.map(({ student }) => student)).toEqual(baselines);
    expect(found?.baselines.at(-1)?.newInstances?.overall.rate).toBe(1);
    const [whole, forks, both] = found?.arms ?? [];
    // Rounds begin as long as there are steps left.
    for (const arm of [whole, forks]) expect(arm?.steps).toBeGreaterThanOrEqual(2 * options.steps);
    expect(whole?.saved).toBe(0);
    expect(forks?.saved).toBeGreaterThan(0);
    expect(both?.queries).toBeGreaterThan(0);
    expect(found?.src?.steps).toBeGreaterThan(0);
    const again = await compareEstimators(options);
    expect(again).toEqual(found);
  });
});
