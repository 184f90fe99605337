import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { createManualClock } from '../../src/core/clock.ts';
import type { Output } from '../../src/cli/terminal/output.ts';
import { createSystemHost } from '../../src/system/workers/host.ts';
import { runStudy } from './study-memory.ts';

it('[STRAT-2] every memory has the student’s own episodes, the same new tasks and the same budget; a module takes part; a second start runs nothing', async () => {
  const out = mkdtempSync(join(tmpdir(), 'espalier-study-'));
  const module = join(out, 'nothing.ts');
  writeFileSync(module, `export const memory = { name: 'nothing', about: '', write: () => [] };`);
  const output = { progress: () => undefined } as unknown as Output;
  const setting = {
    host: { ...createSystemHost({ workers: 0 }), clock: createManualClock() },
    signal: new AbortController().signal,
    output,
  };
  const request = {
    out,
    environments: ['maze:3,1'],
    unseen: [resolve(import.meta.dirname, '../../examples/library/library.ts')],
    arms: ['trad', 'skill-opt', module],
    seeds: 1,
    instances: 1,
    students: ['untrained'],
  };
  const tables = (await runStudy(request, setting)) ?? [];
  expect(tables.length).toBeGreaterThan(0);
  for (const { results, most } of tables) {
    expect(results.map(({ name }) => name)).toEqual([
      'none',
      'trad',
      'skill-opt',
      expect.stringMatching(/^nothing-[0-9a-f]{8}$/),
    ]);
    expect(new Set(results.map(({ episodes, errored }) => `${episodes} ${errored}`)).size).toBe(1);
    for (const { steps, queries } of results) expect(Math.max(steps, queries)).toBeLessThanOrEqual(most);
  }
  const sizes = (): number[] =>
    readdirSync(out, { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.db'))
      .map(name => readFileSync(join(out, name)).length);
  const before = sizes();
  expect(await runStudy(request, setting)).toEqual(tables);
  expect(sizes()).toEqual(before);
  // A module that was changed is another arm.
  writeFileSync(module, `export const memory = { name: 'nothing', about: 'changed', write: () => [] };`);
  const changed = (await runStudy(request, setting)) ?? [];
  expect(changed[0]?.results.at(-1)?.name).not.toBe(tables[0]?.results.at(-1)?.name);
  rmSync(out, { recursive: true });
});
