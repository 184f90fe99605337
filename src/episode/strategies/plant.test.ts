import { describe, expect, it } from 'vitest';
import { openBuiltIn } from '../../catalog.ts';
import { exported } from '../../../test/fixtures/exported.ts';
import { planFor, run, studentBy, tasksOf } from '../../../test/fixtures/episode-setup.ts';
import { createRequests } from '../../dataset/requests/requests.ts';
import { plantedErrors as plantedTable } from '../../dataset/methods/planted-errors.ts';
import { trajectoriesOf } from '../../dataset/credit/episode-groups.ts';
import { createPlant } from './plant.ts';
import { plantedErrors } from './planted-errors.ts';

const world = await openBuiltIn('mail');
const tasks = ['star-message', 'two-settings', 'already-marked'].flatMap(template => tasksOf(world, template, [1, 2]));

async function planted() {
  const strategy = createPlant();
  return run({
    tasks,
    parts: ({ task }) => {
      const plan = planFor(world.open(task));
      const student = studentBy(step => ({ action: plan[step] ?? { kind: 'finish' } }));
      return { environment: world, student, strategy, limits: strategy.limits ?? {} };
    },
  });
}

describe('plant', () => {
  it('[ROL-29] plants errors into runs that passed, each labelled with the step that makes it fail', async () => {
    const { records } = await planted();
    const modes = new Set<string>();
    for (const { tree, end, leaves, head } of records) {
      expect(end.outcome).toBe('passed');
      const main = new Set(tree.path(end.leaf).map(({ id }) => id));
      for (const { node, role, verdict, from } of leaves.filter(leaf => leaf.role !== 'main')) {
        modes.add(role.replace('planted ', ''));
        expect(verdict?.pass).toBe(false);
        const path = tree.path(node);
        const wrong = path.findIndex(({ id }) => id === from);
        expect(wrong).toBeGreaterThanOrEqual(0);
        // What was taken before the error is the student's own; what comes after is nobody's.
        expect(path.slice(0, wrong).every(({ id, actor }) => main.has(id) || actor.name === 'planted')).toBe(true);
        expect(path.slice(wrong + 1).every(({ actor }) => actor.name === 'planted')).toBe(true);
        const replayed = world.open(head.task);
        for (const { action } of path) replayed.step(action);
        expect(path.at(-1)?.action.kind === 'finish' && replayed.verify().pass).toBe(false);
      }
    }
    expect(modes.size).toBeGreaterThanOrEqual(9);
    for (const mode of modes) expect(plantedErrors.map(error => error.mode)).toContain(mode);
  });

  it('[ROL-29] plants nothing where the student failed, and only the modes that are asked for', async () => {
    const strategy = createPlant({ modes: ['FM-3.1'] });
    const giving = { environment: world, student: studentBy(() => ({ action: { kind: 'finish' } })), strategy };
    const failed = await run({ tasks: tasks.slice(0, 1), parts: giving });
    expect(failed.records[0]?.leaves.map(({ role }) => role)).toEqual(['main']);
    const { task } = { task: tasks[0] as (typeof tasks)[number] };
    const plan = planFor(world.open(task));
    const student = studentBy(step => ({ action: plan[step] ?? { kind: 'finish' } }));
    const { records } = await run({ tasks: [task], parts: { environment: world, student, strategy } });
    expect(records[0]?.leaves.map(({ role }) => role)).toEqual(['main', 'planted FM-3.1']);
  });

  it('[DATA-14] planted-errors has a labelled run for each of them, and none is an attempt that is credited', async () => {
    const { records } = await planted();
    const requests = createRequests({ source: { attachment: () => null }, toolsOf: () => world.tools });
    for (const record of records) {
      const rows = [...plantedTable.rows(exported(record, requests))];
      expect(rows).toHaveLength(record.leaves.length - 1);
      for (const row of rows) {
        const [steps, at] = [row['actions'] as string[], row['error_step'] as number];
        expect(row).toMatchObject({ agent: record.head.student, pass: false, actor_role: expect.any(String) });
        expect(at).toBeLessThanOrEqual(steps.length);
        expect(row['mode'] === 'FM-3.1' && steps[at - 1] === row['right_action']).toBe(false);
      }
      expect(trajectoriesOf(record, null)).toHaveLength(1);
    }
  });
});
