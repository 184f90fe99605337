import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { createManualClock } from '../../src/core/clock.ts';
import { createLinear } from '../../src/episode/strategies/linear.ts';
import type { Strategy } from '../../src/episode/strategies/strategy.ts';
import { createRandomPolicy } from '../../src/agents/random.ts';
import { strategies } from '../../src/runs/registry/strategies.ts';
import { createSystemHost } from '../../src/system/workers/host.ts';
import { readConfig } from '../../src/runs/config/config.ts';
import { createEpisodeAgents, openStrategy } from '../../src/runs/jobs/agents.ts';
import { memoryPage } from '../memory/memory-page.ts';
import { collecting, compareCollecting, compareSchedules } from './collected-arms.ts';
import { runArms, type Arm, type ArmResult } from './run-arms.ts';
import { strategyPage } from './strategy-page.ts';
import { strategiesNamed } from './study-strategies.ts';

it('[STRAT-1] every arm has the same tasks and keeps to the same budget; a module takes part; a second start runs nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'espalier-study-'));
  const limits = { taken: 9 };
  const file = resolve(import.meta.dirname, '../../examples/plugins/beam.ts');
  const module = await openStrategy({ kind: 'module', file, options: {} });
  const arms: Arm[] = [createLinear(), strategies.need('judged').create({}), module].map(strategy => ({
    name: strategy.name,
    strategy,
    limits,
    policyFor: () => createRandomPolicy(),
  }));
  const run = () =>
    runArms({
      folder,
      environments: ['mail'],
      levels: ['held-out'],
      instances: 1,
      seeds: 2,
      arms,
      host: { ...createSystemHost({ workers: 0 }), clock: createManualClock() },
      signal: new AbortController().signal,
      onProgress: () => undefined,
    });
  const results = (await run()) ?? [];
  expect(results.map(({ name }) => name)).toEqual(arms.map(({ name }) => name));
  expect(new Set(results.map(({ episodes }) => episodes)).size).toBe(1);
  expect(results.map(({ errored }) => errored)).toEqual([0, 0, 0]);
  for (const { steps, queries } of results) {
    expect(steps).toBeLessThanOrEqual(9);
    expect(queries).toBeGreaterThan(0);
  }
  expect(results.map(({ difference }) => difference === null)).toEqual([true, false, false]);
  const before = readFileSync(join(folder, 'store.db')).length;
  expect(await run()).toEqual(results);
  expect(readFileSync(join(folder, 'store.db')).length).toBe(before);
  rmSync(folder, { recursive: true });
});

it('[STRAT-1] a module is an arm by its name and what it says; it is made anew for each episode, spends no more than a run may, and is there once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'espalier-study-'));
  const file = join(folder, 'own.ts');
  writeFileSync(
    file,
    `export const strategy = () => {
      let episodes = 0;
      return { name: 'linear', asksTeacher: false, run: async () => ({ kind: 'discarded', leaf: 0, reason: String(++episodes) }) };
    };`,
  );
  const found = await strategiesNamed([file, 'judged']);
  expect([...found.keys()]).toEqual([expect.stringMatching(/^linear-[0-9a-f]{8}$/), 'judged']);
  const [own] = found.values();
  const none = null as unknown as Parameters<Strategy['run']>[0];
  expect(await own?.run(none)).toEqual(await own?.run(none));
  const greedy = { ...createLinear(), limits: { taken: 500, leaves: 9 } };
  const opened = { student: () => createRandomPolicy(), teacher: null, strategy: greedy };
  const { limits } = readConfig({ run: 'x', environments: ['mail'], limits: { taken: 3 } }, 'The test');
  expect(createEpisodeAgents({ limits }, opened)(null).limits).toMatchObject({ taken: 3, leaves: 9 });
  await expect(strategiesNamed([file, file])).rejects.toThrow('is there twice');
  await expect(strategiesNamed(['linear'])).rejects.toThrow('is there twice');
  rmSync(folder, { recursive: true });
});

it('[STRAT-3] schedules share equally many episodes, and strategies with a teacher collect the same tasks; a second start runs nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'espalier-study-'));
  const options = {
    folder,
    environments: [resolve(import.meta.dirname, '../../examples/library/library.ts')],
    students: { policyOf: () => createRandomPolicy(), nameOf: () => 'untrained' },
    seeds: 1,
    most: 6,
    host: { ...createSystemHost({ workers: 0 }), clock: createManualClock() },
    signal: new AbortController().signal,
    onProgress: () => undefined,
  };
  const schedule = () => compareSchedules({ ...options, arms: ['trace', 'xrpo', 'echo-ttrl'] });
  const scheduled = (await schedule()) ?? [];
  expect(scheduled.map(({ name, episodes }) => [name, episodes])).toEqual(
    ['uniform', 'trace', 'xrpo', 'echo-ttrl'].map(name => [name, 8]),
  );
  const collected = (await compareCollecting({ ...options, arms: collecting })) ?? [];
  expect(collected.map(({ name }) => name)).toContain('cascade');
  expect(new Set(collected.map(({ episodes }) => episodes)).size).toBe(1);
  for (const { steps } of collected) expect(steps).toBeLessThanOrEqual(6);
  expect(collected.find(({ name }) => name === 'speculative-rollback')?.taught).toBeGreaterThan(0);
  expect(await schedule()).toEqual(scheduled);
  rmSync(folder, { recursive: true });
});

it('[STRAT-4] the page has the first arm as it is, the others by their difference, and names what is more than chance', () => {
  const arm = (name: string, difference: ArmResult['difference']): ArmResult => ({
    name,
    success: { mean: 0.25, low: 0.1, high: 0.4 },
    difference,
    episodes: 60,
    errored: 0,
    steps: 5,
    queries: 4.25,
    taught: 0,
    tokens: 0,
    milliseconds: 12.4,
  });
  const results = [arm('linear', null), arm('puct', { mean: 0.04, low: 0.01, high: 0.07 })];
  const even = [arm('linear', null), arm('puct', { mean: -0.0001, low: -0.02, high: 0.02 })];
  const page = strategyPage([
    { student: 'feature', budget: 'steps', most: 10, results: even },
    { student: 'feature', budget: 'steps', most: 30, results },
  ]);
  const part = (...arms: ArmResult[]) =>
    strategyPage([{ student: 'feature', budget: 'steps', most: 30, results: arms }]);
  const [linear, puct] = results as [ArmResult, ArmResult];
  const joined = strategyPage(
    [[linear], [linear, puct]].map(arms => ({ student: 'feature', budget: 'steps', most: 30, results: arms })),
  );
  expect(joined).toEqual(part(linear, puct));
  const other = { ...linear, success: { mean: 0.5, low: 0.4, high: 0.6 } };
  const unlike = [[linear], [other, puct]].map(arms => ({
    student: 'x',
    budget: 'steps' as const,
    most: 30,
    results: arms,
  }));
  expect(() => strategyPage(unlike)).toThrow('linear has other results in another part');
  expect(page).toContain('|  | 10 steps | 30 steps | steps | questions | ms |');
  expect(page).toContain('| `linear` | 25.0 % (10.0–40.0) | 25.0 % (10.0–40.0) | 5.0 | 4.3 | 12 |');
  expect(page).toContain('| `puct` | 0.0 (-2.0 to 2.0) | +4.0 (1.0 to 7.0) | 5.0 | 4.3 | 12 |');
  expect(page.join('\n')).toContain('not corrected for their number: 30 steps, ahead: puct. (60 episodes an arm.)');
  const memories = memoryPage([{ student: 'feature', level: 'held-out', most: 20, results: even }]);
  expect(memories.join('\n')).toContain('All intervals include 0');
});
