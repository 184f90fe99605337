import { describe, expect, it } from 'vitest';
import { app } from '../../../examples/library/library.ts';
import { planFor, runOne } from '../../../test/fixtures/episode-setup.ts';
import { describeAction, type Action } from '../../core/action.ts';
import type { Alternative, OrdinaryPolicy } from '../../core/episode/agents.ts';
import { createWorld } from '../../worlds/world.ts';
import { createLookahead } from './lookahead.ts';
import { createLinear } from './linear.ts';

const world = createWorld(app);
const task = world.task('lend-to-reader', 3);
const plan = planFor(world.open(task));
const [first] = plan as [Action];
const finish: Action = { kind: 'finish' };
/** Another thing to do at the start: it leads away from the goal. */
const astray = world
  .open(task)
  .candidates()
  .map(({ action }) => action)
  .find(action => describeAction(action) !== describeAction(first)) as Action;

/** Knows the plan, but trusts a wrong first step more. After it the student is at a loss. */
function tempted(priorOfPlan: number): OrdinaryPolicy {
  const weigh = (action: Action, prior: number, others: readonly Alternative[] = []) => ({
    action,
    prior,
    alternatives: others,
  });
  return {
    name: 'tempted',
    act({ history, path }) {
      if (history.length === 0) return weigh(astray, 0.6, [{ action: first, prior: 0.4 }]);
      const isAstray = path[0] !== undefined && describeAction(path[0].action) === describeAction(astray);
      if (isAstray) return weigh(finish, 0.05);
      return weigh(plan[history.length] ?? finish, priorOfPlan);
    },
  };
}

const run = (student: OrdinaryPolicy, expansions = 60) =>
  runOne({ task, parts: { environment: world, student, strategy: createLookahead({ expansions }) } });

describe('lookahead', () => {
  it('[SRC-30] leaves a branch whose next steps are unlikely for one that was less likely at first', async () => {
    const alone = await runOne({
      task,
      parts: { environment: world, student: tempted(0.9), strategy: createLinear() },
    });
    expect(alone.end.outcome).toBe('failed');
    const { end, tree } = await run(tempted(0.9));
    expect(end.outcome).toBe('passed');
    expect(tree.path(end.leaf).map(({ action }) => describeAction(action))).toEqual(plan.map(describeAction));
  });

  it('[SRC-31] asks the verifier once, and keeps in the tree what it tried', async () => {
    const { leaves, tree, rollbacks } = await run(tempted(0.9));
    expect(leaves).toHaveLength(1);
    expect(tree.children(0).map(({ action }) => describeAction(action))).toEqual([
      describeAction(astray),
      describeAction(first),
    ]);
    expect(rollbacks.map(({ to }) => to)).toEqual([0]);
  });

  it('[SRC-31] stops when it has tried as many steps as it may, and finishes the best branch that can be finished', async () => {
    const { end, tree } = await run(tempted(0.9), 1);
    expect(tree.record().nodes).toHaveLength(2);
    expect(end.outcome).toBe('failed');
    expect(tree.path(end.leaf).map(({ action }) => describeAction(action))).toEqual([describeAction(astray), 'finish']);
  });

  it('[SRC-30] does not go round in circles: a state is entered once', async () => {
    const circling: OrdinaryPolicy = {
      name: 'circling',
      act: ({ history }) => ({
        action: history.length % 2 === 0 ? astray : { kind: 'click', ref: 'e999' },
        prior: 0.9,
        alternatives: [{ action: finish, prior: 0.1 }],
      }),
    };
    const { end, tree } = await run(circling);
    expect(tree.record().nodes.length).toBeLessThan(5);
    expect(end.verdict).not.toBeNull();
  });

  it('[ROL-22] refuses alternatives that are none, and keeps none in the tree', async () => {
    const odd: OrdinaryPolicy = {
      name: 'odd',
      act: () => ({ action: finish, alternatives: [{ action: astray, prior: 2 }] }),
    };
    expect((await run(odd)).end.reason).toBe('unusable output');
    const { tree } = await run(tempted(0.9));
    expect(tree.record().nodes.some(node => 'alternatives' in node)).toBe(false);
  });

  it('[SRC-31] says what is wrong with its options', () => {
    expect(() => createLookahead({ expansions: 0 })).toThrow('lookahead was given expansions = 0.');
    expect(() => createLookahead({ width: 1.5 })).toThrow('Expected a whole number above 0.');
  });
});
