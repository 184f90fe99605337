import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { createManualClock } from '../../src/core/clock.ts';
import { createLinear } from '../../src/episode/strategies/linear.ts';
import { createRandomPolicy } from '../../src/agents/random.ts';
import { strategies } from '../../src/runs/registry/strategies.ts';
import { createSystemHost } from '../../src/system/workers/host.ts';
import { openStrategy } from '../../src/runs/jobs/agents.ts';
import { runArms, type Arm } from './run-arms.ts';

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
