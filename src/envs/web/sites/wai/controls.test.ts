import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Timers } from '../../../../core/clock.ts';
import { EspalierError } from '../../../../core/errors.ts';
import { verdictSchema, type Ending } from '../../../../core/records.ts';
import { createStateVerifier, runControls, type ControlledApp } from './controls.ts';
import { readWaiFolder, type WaiFolder } from './folder.ts';
import { createVerifierPool, type VerifierPool } from '../../../python/pool.ts';
import { createWaiVerdict } from './verdict.ts';

const timers: Timers = {
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
};
const patient = createVerifierPool({ workers: 2, timers, deadlineMilliseconds: 60_000 });
afterAll(() => patient.close());

const folder = await readWaiFolder(join(import.meta.dirname, '../../../../../test/fixtures/wai/faulty'));
const seed = '{"on":false,"colour":"white"}';

function controlled(tasks: WaiFolder['tasks'], pool: VerifierPool): ControlledApp {
  const verify = createStateVerifier({ folder, pool });
  return { tasks, seedState: () => Promise.resolve(seed), verify };
}

const hanging = folder.tasks.filter(({ id }) => id === 'task_hangs');
const others = folder.tasks.filter(({ id }) => id !== 'task_hangs');

describe('negative controls', () => {
  it('[WAI-12] names the tasks that pass untouched, that break and that waver; the others are sound', async () => {
    const report = await runControls(controlled(others, patient), 2);
    expect(report.tasks).toBe(10);
    expect(report.passing).toEqual([{ template: 'real-task-passes', message: 'The lamp is white.' }]);
    expect(report.broken.map(({ template, code }) => [template, code])).toEqual([
      ['real-task-throws', 'threw'],
      ['real-task-garbage', 'out-of-range'],
      ['function-task-exits', 'threw'],
      ['function-task-syntax', 'threw'],
      ['function-task-forges', 'threw'],
      ['function-task-strays', 'threw'],
    ]);
    expect(report.broken[0]?.reason).toContain("real-tasks/task_throws.py threw at line 6: KeyError: 'name'");
    expect(report.unsteady).toHaveLength(1);
    expect(report.unsteady[0]?.template).toBe('real-task-random');
    expect(new Set(report.unsteady[0]?.said).size).toBe(2);
  });

  it('[WAI-12] names a task whose verifier hangs', async () => {
    const short = createVerifierPool({ workers: 1, timers, deadlineMilliseconds: 50 });
    const report = await runControls(controlled(hanging, short), 1);
    expect(report).toMatchObject({ tasks: 1, passing: [], unsteady: [] });
    expect(report.broken).toMatchObject([{ template: 'real-task-hangs', code: 'deadline' }]);
    await short.close();
  });

  it('[WAI-12] does not lay at a verifier what broke beside it', async () => {
    const none = createVerifierPool({ workers: 1, timers, deadlineMilliseconds: 50, python: '/nowhere/python3' });
    await expect(runControls(controlled(others, none), 1)).rejects.toMatchObject({ code: 'unavailable' });
    const app: ControlledApp = {
      ...controlled(others, patient),
      seedState: () =>
        Promise.reject(
          new EspalierError({
            boundary: 'environment',
            code: 'unavailable',
            message: 'No page.',
            expected: 'Expected one.',
          }),
        ),
    };
    await expect(runControls(app, 1)).rejects.toThrow('No page.');
  });

  it('[WAI-12] judges any state that is handed in, without a browser', async () => {
    const { verify } = controlled(others, patient);
    const task = folder.tasks.find(({ id }) => id === 'task_sound')!;
    const states = ['{"on":true}', seed, '{"on":true}'];
    const answers = await Promise.all(states.map(state => verify(task, state)));
    expect(answers.map(({ passed }) => passed)).toEqual([true, false, true]);
    await expect(verify(task, '{}')).rejects.toMatchObject({ boundary: 'verifier', code: 'threw' });
  });
});

describe('verdicts of app folders', () => {
  const task = { id: 'task_e1' };
  const finished: Ending = { answer: '42', infeasible: false };

  it('[WAI-11] is one check with the reason that the verifier gave', () => {
    const passed = createWaiVerdict({
      task,
      answer: { passed: true, message: 'Done.' },
      tampering: [],
      ending: finished,
    });
    expect(passed).toEqual({
      pass: true,
      checks: [{ id: 'verifier', name: 'task_e1: Done.', pass: true }],
      progress: 1,
      clean: true,
      evidence: { sideEffects: [], answer: '42', sideEffectsKnown: false },
    });
    const failed = createWaiVerdict({ task, answer: { passed: false, message: '' }, tampering: [], ending: null });
    expect(failed).toMatchObject({ pass: false, progress: 0, checks: [{ name: 'task_e1', pass: false }] });
    for (const verdict of [passed, failed]) expect(verdictSchema.parse(verdict)).toEqual(verdict);
  });

  it('[WAI-11] does not pass who gives up, whatever the state', () => {
    const ending: Ending = { answer: null, infeasible: true };
    const verdict = createWaiVerdict({ task, answer: { passed: true, message: 'Done.' }, tampering: [], ending });
    expect(verdict).toMatchObject({ pass: false, progress: 0 });
    expect(verdict.checks).toEqual([{ id: 'verifier', name: 'task_e1: given up as infeasible', pass: false }]);
  });
});
