import { describe, expect, it } from 'vitest';
import { app } from '../../../examples/library/library.ts';
import { planFor, runOne } from '../../../test/fixtures/episode-setup.ts';
import type { OrdinaryPolicy } from '../../core/episode/agents.ts';
import { createWorld } from '../../worlds/world.ts';
import { createForkGroup } from './fork-group.ts';

const world = createWorld(app);
const task = world.task('lend-to-reader', 3);
const plan = planFor(world.open(task));

/** Follows the plan, and is least sure of its third step; later attempts finish there. */
function unsure(): OrdinaryPolicy {
  let asked = 0;
  return {
    name: 'unsure',
    act({ history }) {
      const isThird = history.length === 2;
      const action = isThird && ++asked > 1 ? { kind: 'finish' as const } : (plan[history.length] ?? null);
      return { action, entropy: isThird ? 1.5 : 0.1 };
    },
  };
}

describe('fork group', () => {
  it('[RL-3] forks from the state in which the student was least sure, and shares the steps before it', async () => {
    const parts = { environment: world, student: unsure(), strategy: createForkGroup({ attempts: 3, starts: 1 }) };
    const record = await runOne({ task, parts });
    expect(record.leaves.map(({ role, verdict }) => [role, verdict?.pass])).toEqual([
      ['sample', true],
      ['sample', false],
      ['sample', false],
    ]);
    const [first, second] = record.leaves.map(({ node }) => record.tree.path(node).map(({ id }) => id));
    expect(second?.slice(0, 2)).toEqual(first?.slice(0, 2));
    expect(second).toHaveLength(3);
    // The first attempt is the result, whatever the others came to.
    expect(record.end).toMatchObject({ outcome: 'passed', leaf: plan.length });
  });

  it.each([{ attempts: 0 }, { attempts: 1.5 }, { starts: 0 }])('[RL-3] refuses %j', options => {
    expect(() => createForkGroup(options)).toThrow(/whole number above 0/);
  });
});
