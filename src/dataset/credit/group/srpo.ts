import { z } from 'zod';
import { defineEstimator, type CreditTrajectory } from '../contract.ts';
import { rewardOf, sameForAllSteps } from '../returns.ts';
import { groupAdvantages } from './grpo.ts';

/**
 * How near each trajectory came to a success of its group: 1 for a success; else how far along the success it got, the share of
 * its states up to the last one that both visited. The best over the successes; 0 where there is none.
 */
export function nearness(trajectories: readonly CreditTrajectory[]): number[] {
  const successes = trajectories.filter(trajectory => rewardOf(trajectory) === 1).map(statesOf);
  return trajectories.map(trajectory => {
    if (rewardOf(trajectory) === 1) return 1;
    const visited = new Set(statesOf(trajectory));
    const shares = successes.map(states => {
      // The state that all begin in is no progress.
      const reached = states.findLastIndex((state, at) => at > 0 && visited.has(state));
      return states.length < 2 ? 0 : Math.max(0, reached) / (states.length - 1);
    });
    return Math.max(0, ...shares);
  });
}

function statesOf({ steps }: CreditTrajectory): readonly string[] {
  return [...steps.slice(0, 1).map(({ state }) => state), ...steps.map(({ after }) => after)];
}

/** SRPO: failures are paid for how near they came to successes of the same group. States stand for its latent features. */
export const srpo = defineEstimator({
  name: 'srpo',
  about: 'GRPO where a failure is paid for how far it got along a success of its own group.',
  options: z.strictObject({
    scale: z.number().min(0).max(1).default(0.6).meta({ description: 'reward of a failure that all but passed' }),
  }),
  estimate({ trajectories }, { scale }) {
    const near = nearness(trajectories);
    const advantages = groupAdvantages(
      trajectories.map((trajectory, at) => ({
        ...trajectory,
        reward: rewardOf(trajectory) === 1 ? 1 : scale * (near[at] as number),
      })),
    );
    return trajectories.map((trajectory, at) => sameForAllSteps(trajectory, advantages[at] as number));
  },
});
