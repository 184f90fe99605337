import { z } from 'zod';
import { defineEstimator, type CreditGroup, type TrajectoryCredit } from '../contract.ts';
import { rewardOf, sameForAllSteps } from '../returns.ts';
import { medianOf, sampleDeviation } from '../statistics.ts';

/** What the public code adds to the median deviation. */
const offset = 1e-3;

/**
 * Median-centred GRPO: the reward beside the median, over the median deviation. The trajectory in the middle is left out
 * of the loss, and the others are scaled up for it. A group of even size has no middle, and leaves out none.
 */
function medianCentred({ trajectories }: CreditGroup, leastDeviation: number): TrajectoryCredit[] {
  const rewards = trajectories.map(rewardOf);
  const median = medianOf(rewards);
  const spread = medianOf(rewards.map(reward => Math.abs(reward - median)));
  const scale = spread < leastDeviation ? sampleDeviation(rewards) : spread + offset;
  const different = rewards.filter(reward => reward !== median).length;
  const middle = rewards.length % 2 === 1 ? rewards.indexOf(median) : -1;
  return trajectories.map((trajectory, index) => {
    const beside = rewards[index] as number;
    const advantage = beside === median ? 0 : ((beside - median) / scale) * (rewards.length / different);
    const credit = sameForAllSteps(trajectory, advantage);
    return index === middle ? { ...credit, mask: credit.mask.map(() => false) } : credit;
  });
}

export const mcGrpo = defineEstimator({
  name: 'mc-grpo',
  about: 'Reward beside the median, over the median deviation; over the sample deviation where that is nearly 0.',
  options: z.strictObject({
    leastDeviation: z
      .number()
      .nonnegative()
      .default(0.1)
      .meta({ description: 'below this median deviation, the sample deviation is taken' }),
  }),
  estimate: (group, { leastDeviation }) => medianCentred(group, leastDeviation),
});

export const mcGrpoPublic = defineEstimator({
  name: 'mc-grpo-public',
  about: 'MC-GRPO as in the public code: with rewards of 0 and 1 its advantages reach thousands.',
  options: z.strictObject({}),
  estimate: group => medianCentred(group, 0),
});
