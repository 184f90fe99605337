import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSystemHost } from '../../src/system/workers/host.ts';
import { gather, stepsOf, teachAll, within, writeRows, type StudySetting } from './equal-steps.ts';
import { loopArms, type LoopArm } from './loop-arms.ts';
import { loopTable } from './loop-table.ts';
import { runArm, type LoopResult } from './study-loops.ts';

const app = resolve(import.meta.dirname, '../../examples/library/library.ts');

describe('the study of loops', () => {
  it('[LOOPS-1] gives a side the first tasks that its steps pay for, whatever later ones cost', () => {
    const spent = [5, 9, 3, 20, 1].map((steps, at) => ({ task: `task ${at}`, steps }));
    expect(within(spent, 20)).toEqual({ tasks: ['task 0', 'task 1', 'task 2'], steps: 17 });
    expect(within(spent, 4)).toEqual({ tasks: [], steps: 0 });
    expect(within(spent, 38).steps).toBe(38);
    expect(loopArms.map(({ name }) => name)).toEqual(['retry', 'alternatives', 'mask', 'forge', 'roles', 'events']);
  });

  it('[LOOPS-2] says in the table which differences are more than chance', () => {
    const rate = { rate: 0.25, low: 0.1, high: 0.4, passed: 15, n: 60, errored: 0, uncertified: 0, raw: 0.25 };
    const result = (arm: string, difference: LoopResult['difference']): LoopResult => ({
      arm,
      loop: `loop ${arm}`,
      beside: 'none',
      steps: { with: 1105, without: 990 },
      with: rate,
      without: rate,
      difference,
      tasks: 60,
      seconds: 1,
    });
    const none = result('mask', { mean: 0.04, low: -0.06, high: 0.15 });
    expect(loopTable([none])).toEqual([
      '| loop | beside | steps | with it (95 %) | without it | points, same tasks | tasks |',
      '| --- | --- | --- | --- | --- | --- | --- |',
      '| loop mask | none | 1,105 / 990 | 25\u00a0% (10–40) | 25\u00a0% (10–40) | +4 (-6 to 15) | 60 |',
      '',
      'All intervals include 0: nothing is shown for or against these loops here.',
    ]);
    const clear = result('retry', { mean: -0.1, low: -0.2, high: -0.01 });
    expect(loopTable([none, clear]).at(-1)).toBe(
      'Intervals that exclude 0, not corrected for their number: retry hurts.',
    );
  });

  it('[LOOPS-1] compares both sides at equal steps on the same tasks; a second start runs nothing', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'espalier-loops-'));
    const { signal } = new AbortController();
    const host = createSystemHost({ workers: 0 });
    const setting: StudySetting = { folder, steps: 30, seeds: 2, instances: 1, host, signal };
    const collecting = { environments: [app], student: { kind: 'planner' }, strategy: { kind: 'linear' } } as const;
    const arm: LoopArm = {
      name: 'shown',
      loop: 'paths of the planner',
      beside: 'the first of them',
      environments: [app],
      async make(own) {
        const spent = await gather(own, 'paths', collecting);
        expect(stepsOf(spent)).toBeGreaterThanOrEqual(30);
        const rows = [await writeRows(own, { from: 'paths', to: 'rows', keep: 'all' })];
        const taught = (name: string, steps: number) => {
          const lessons = within(spent, steps);
          return { students: teachAll(own, name, [{ ...lessons, rows }]), steps: lessons.steps };
        };
        return { with: taught('all', 30), without: taught('few', 8) };
      },
    };
    const result = await runArm(arm, setting);
    expect(result.steps.with).toBeGreaterThan(result.steps.without);
    expect(result.steps.with).toBeLessThanOrEqual(30);
    expect([result.with.n, result.without.n]).toEqual([2 * result.tasks, 2 * result.tasks]);
    const store = join(folder, 'shown-evaluation', 'store.db');
    const before = statSync(store).mtimeMs;
    expect(await runArm(arm, setting)).toEqual(result);
    expect(statSync(store).mtimeMs).toBe(before);
    rmSync(folder, { recursive: true });
  });
});
