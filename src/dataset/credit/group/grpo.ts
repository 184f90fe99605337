import { z } from 'zod';
import { defineEstimator, type CreditTrajectory } from '../contract.ts';
import { rewardOf, sameForAllSteps } from '../returns.ts';
import { meanOf, sampleDeviation } from '../statistics.ts';

const epsilon = 1e-6;

/** A = (r - mean) / (std + ε), or without the division. The deviation is that of a sample. */
export function groupAdvantages(trajectories: readonly CreditTrajectory[], isScaled = true): number[] {
  const rewards = trajectories.map(rewardOf);
  const mean = meanOf(rewards);
  const scale = isScaled ? sampleDeviation(rewards) + epsilon : 1;
  return rewards.map(reward => (reward - mean) / scale);
}

/** Group relative policy optimization: every step of a trajectory gets what the trajectory was worth beside its group. */
export const grpo = defineEstimator({
  name: 'grpo',
  about: 'Reward beside the mean of the group, divided by the deviation: the same for all steps of a trajectory.',
  options: z.strictObject({}),
  estimate({ trajectories }) {
    const advantages = groupAdvantages(trajectories);
    return trajectories.map((trajectory, index) => sameForAllSteps(trajectory, advantages[index] as number));
  },
});

/** Dr. GRPO: the division by the deviation favours tasks that are very easy or very hard, and is left out. */
export const drGrpo = defineEstimator({
  name: 'dr-grpo',
  about: 'GRPO without the division by the deviation.',
  options: z.strictObject({}),
  estimate({ trajectories }) {
    const advantages = groupAdvantages(trajectories, false);
    return trajectories.map((trajectory, index) => sameForAllSteps(trajectory, advantages[index] as number));
  },
});
