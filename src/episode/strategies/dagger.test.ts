import { describe, expect, it } from 'vitest';
import { app } from '../../../examples/library/library.ts';
import { perfectTeacher, planFor, runOne, studentBy } from '../../../test/fixtures/episode-setup.ts';
import { actionKey, type Action } from '../../core/action.ts';
import { createWorld } from '../../worlds/world.ts';
import { createDagger } from './dagger.ts';

const world = createWorld(app);
const task = world.task('lend-to-reader', 3);
const plan = planFor(world.open(task));

async function label(actionAt: (step: number) => Action) {
  const student = studentBy(step => ({ action: actionAt(step) }));
  return runOne({ task, parts: { environment: world, student, teacher: perfectTeacher, strategy: createDagger() } });
}

describe('dagger', () => {
  it('[ROL-26] keeps the steps of a teacher that the student agrees with', async () => {
    const { end, corrections, tree } = await label(step => plan[step] as Action);
    expect(end).toMatchObject({ outcome: 'passed', counts: { corrections: plan.length, reviews: 0 } });
    expect(tree.record().nodes).toHaveLength(plan.length);
    expect(corrections.map(({ node }) => actionKey(tree.node(node).action))).toEqual(plan.map(actionKey));
  });

  it('[ROL-26] labels the states that the student gets into, not those of the teacher', async () => {
    const [first, ...rest] = plan as [Action, ...Action[]];
    // The student repeats its first step, which changes nothing: the same state is labelled twice.
    const { corrections, tree, end } = await label(step => [first, first, ...rest][step] as Action);
    expect(end.outcome).toBe('passed');
    const taken = tree.path(end.leaf);
    expect(taken.map(({ action }) => actionKey(action))).toEqual([first, first, ...rest].map(actionKey));
    expect(taken[1]?.actor.role).toBe('student');
    const parents = corrections.map(({ node }) => tree.node(node).parent);
    expect(parents).toEqual([0, ...taken.slice(0, -1).map(({ id }) => id)]);
  });
});
