import { describe, expect, it } from 'vitest';
import { app as library } from '../../../examples/library/library.ts';
import { answeredAtOnce, bad, hintsAnswer, saysItself, withTemplates } from '../../../test/fixtures/bad-templates.ts';
import type { StateEnvironment } from '../../core/contracts.ts';
import { createWorld } from '../../worlds/world.ts';
import { createPlanner } from '../../agents/planner/planner.ts';
import { forgeApp } from '../forge-app.ts';
import { createTaskPool, type TaskAdmissionOptions } from './admit-task.ts';
import { studyHeldOut } from './held-out.ts';

const planner = createPlanner({ clock: { now: () => 0 }, maxNodes: 300 });
const forged = forgeApp(library, { kinds: ['commands'] });
const world = createWorld(forged);
const template = 'lend-book.forged';

function poolOf(environment: StateEnvironment, more: Partial<TaskAdmissionOptions> = {}) {
  return createTaskPool({ environment, planner, ...more });
}

/** The forged app with a goal that allows something more, which only a second verifier that compares states notices. */
function tooLenient(): StateEnvironment {
  const templates = forged.templates.map(own => ({
    ...own,
    goal(parameters: Parameters<typeof own.goal>[0], initial: Parameters<typeof own.goal>[1]) {
      const goal = own.goal(parameters, initial);
      return { ...goal, allow: [...goal.allow, '/books/*/title'] };
    },
  }));
  return createWorld({ ...forged, templates });
}

describe('admission of forged tasks', () => {
  it('[FORGE-4] [FORGE-5] admits good ones', async () => {
    const pool = poolOf(world);
    for (const { id } of world.templates) expect(await pool.admit(id, 1)).toMatchObject({ admitted: true });
    expect(pool.tasks.map(({ template: id }) => id)).toEqual(world.templates.map(({ id }) => id));
  });

  it.each([
    ['made', bad['LAD-1'], /out of words/],
    ['deterministic', bad['LAD-2'], /seed 1 gave two different tasks/],
    ['start fails', bad['LAD-3'], /the initial state passes/],
    ['solvable', bad['LAD-4'], /the planner found no way/],
    ['nearly-right states fail', bad['VER-3'], /it passes with \/books/],
  ] as const)(
    '[FORGE-4] drops a bad one at the rung "%s", and leaves the pool as it was',
    async (rung, planted, detail) => {
      const pool = poolOf(createWorld(withTemplates([planted])));
      const admission = await pool.admit(planted.id, 1);
      expect(admission).toMatchObject({ admitted: false, rung });
      expect(admission).toHaveProperty('detail', expect.stringMatching(detail));
      expect(pool.tasks).toEqual([]);
    },
  );

  it.each([
    [saysItself, /the answer ".+" stands in the task/],
    [hintsAnswer, /the answer ".+" stands in the task/],
    [answeredAtOnce, /"answer":"Ana Ruiz"\} as the first step passes/],
  ])('[FORGE-11] drops a question that answers itself, or that needs no look: $0.id', async (planted, detail) => {
    const pool = poolOf(createWorld(withTemplates([planted])));
    const admission = await pool.admit(planted.id, 1);
    expect(admission).toMatchObject({ admitted: false, rung: 'start fails' });
    expect(admission).toHaveProperty('detail', expect.stringMatching(detail));
  });

  it('[FORGE-5] drops a task about which a second verifier says something else', async () => {
    const admission = await poolOf(tooLenient()).admit(template, 1);
    expect(admission).toMatchObject({ admitted: false, rung: 'second verifier agrees' });
    expect(admission).toHaveProperty('detail', expect.stringMatching(/title .*the verifier says that it passes/));
  });

  it('[FORGE-6] drops what the student always passes, or never', async () => {
    for (const [rate, admitted] of [
      [0, false],
      [0.4, true],
      [1, false],
    ] as const) {
      expect((await poolOf(world, { passRate: () => rate }).admit(template, 1)).admitted).toBe(admitted);
    }
    expect(await poolOf(world, { passRate: () => 1 }).admit(template, 1)).toMatchObject({
      rung: 'pass rate in band',
      detail: 'the student passes it in 100 % of its tries',
    });
  });

  it('[FORGE-7] drops what is in the pool already', async () => {
    const pool = poolOf(world);
    expect((await pool.admit(template, 1)).admitted).toBe(true);
    expect(await pool.admit(template, 1)).toMatchObject({ admitted: false, rung: 'new to the pool' });
    expect((await pool.admit(template, 2)).admitted).toBe(true);
  });

  it('[FORGE-7] drops what asks for the same as a held-out template', async () => {
    const templates = forged.templates.map(
      own => ({ ...own, split: own.id === template ? 'test' : own.split }) as const,
    );
    const heldOut = studyHeldOut(createWorld({ ...forged, templates }), planner, [7]);
    expect([...heldOut.commands]).toEqual(['lend_book']);
    const pool = poolOf(world, { heldOut });
    // However they are worded: about half of the sentences say something else than "lend".
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const fall = await pool.admit(template, seed);
      expect(fall).toMatchObject({ admitted: false, rung: 'unlike held-out templates' });
    }
    expect((await pool.admit('return-book.forged', 1)).admitted).toBe(true);
  });
});
