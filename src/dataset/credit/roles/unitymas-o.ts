import { z } from 'zod';
import { defineEstimator, type CreditStep, type CreditTrajectory } from '../contract.ts';
import { meanOf } from '../statistics.ts';
import { creditByRole } from './roles.ts';

/**
 * What each step was worth in its turn: 1 when it was applied and 0 when it was refused, beside the mean of its role in the group.
 * A turn is the steps of one agent until another takes over.
 */
function turnRewards(trajectories: readonly CreditTrajectory[]): readonly (readonly number[])[] {
  const all = trajectories.flatMap(({ steps }) => steps);
  const means = new Map([...Map.groupBy(all, ({ role }) => role)].map(([role, own]) => [role, meanOf(own.map(worth))]));
  return trajectories.map(({ steps }) => steps.map(step => worth(step) - (means.get(step.role) as number)));
}

function worth({ applied }: CreditStep): number {
  return Number(applied);
}

/** What the turn that each step handed over to was worth: the mean of its steps; 0 for the last turn. */
function graphRewards({ steps }: CreditTrajectory, turns: readonly number[]): readonly number[] {
  return steps.map(({ role }, at) => {
    const next = steps.findIndex((later, place) => place > at && later.role !== role);
    if (next < 0) return 0;
    const end = steps.findIndex((later, place) => place > next && later.role !== steps[next]?.role);
    return meanOf(turns.slice(next, end < 0 ? steps.length : end));
  });
}

/**
 * Every call of a role counts once, however often the role was called. `turn` pays an agent for its own steps, `graph` for what
 * the agent did that it handed over to; how the paper weighs them is not published.
 */
export const unitymasO = defineEstimator({
  name: 'unitymas-o',
  about: 'GRPO for each role of a team, over all of its calls; with rewards of turns and of handing over.',
  options: z.strictObject({
    turn: z.number().nonnegative().default(0).meta({ description: 'weight of applied steps beside refused ones' }),
    graph: z.number().nonnegative().default(0).meta({ description: 'weight of the turn that was handed over to' }),
  }),
  estimate({ trajectories }, { turn, graph }) {
    const credits = creditByRole(trajectories, own => own);
    if (turn === 0 && graph === 0) return credits;
    const turns = turnRewards(trajectories);
    return credits.map((credit, index) => {
      const own = turns[index] as readonly number[];
      const handed = graphRewards(trajectories[index] as CreditTrajectory, own);
      const advantages = credit.advantages.map((advantage, at) =>
        credit.mask[at] === true ? advantage + turn * (own[at] as number) + graph * (handed[at] as number) : advantage,
      );
      return { ...credit, advantages };
    });
  },
});
