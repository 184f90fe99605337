import { z } from 'zod';
import { defineEstimator, type TrajectoryEnd } from '../contract.ts';
import { CreditError } from '../credit-error.ts';
import { sameForAllSteps } from '../returns.ts';
import { groupAdvantages } from './grpo.ts';

/**
 * The share of checks that hold, less for side effects, for giving up after the goal, for running over the limit, and for
 * saying that it is done when it is not.
 */
export function shapedReward({ progress, clean, by }: TrajectoryEnd): number {
  const isReached = progress === 1;
  let reward = progress;
  if (isReached && !clean) reward *= 0.8;
  if (isReached && by === 'aborted') reward *= 0.5;
  if (by === 'overdue') reward *= 0.5;
  if (!isReached && by === 'declared') reward *= 0.8;
  return reward;
}

export const mobilegym = defineEstimator({
  name: 'mobilegym',
  about: 'GRPO on a shaped reward: progress, with less for side effects, giving up, overtime and false claims.',
  options: z.strictObject({}),
  estimate({ trajectories }) {
    const shaped = trajectories.map(trajectory => {
      if (trajectory.end === undefined)
        throw new CreditError('no-verdict', `Trajectory ${trajectory.id} does not say how it ended.`);
      return { ...trajectory, reward: shapedReward(trajectory.end) };
    });
    const advantages = groupAdvantages(shaped);
    return trajectories.map((trajectory, index) => sameForAllSteps(trajectory, advantages[index] as number));
  },
});
