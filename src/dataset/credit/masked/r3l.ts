import { z } from 'zod';
import { defineEstimator, type CreditTrajectory } from '../contract.ts';
import { rewardOf } from '../returns.ts';
import { meanOf } from '../statistics.ts';

/** 1 for a pass, three times what is above the mean, and once what is below it. */
function amplified(rewards: readonly number[], gain: number): number[] {
  const mean = meanOf(rewards);
  return rewards.map(reward => {
    if (reward >= 1) return 1;
    return reward >= mean ? gain * (reward - mean) : reward - mean;
  });
}

/** Reflect, then retry: first and second attempts share the steps before the pivot, which are masked in both. */
export const r3l = defineEstimator({
  name: 'r3l',
  about: 'Amplified positives from the pivot on: steps that an attempt shares with its retry are masked.',
  options: z.strictObject({
    gain: z.number().positive().default(3).meta({ description: 'factor of advantages above the mean' }),
  }),
  estimate({ trajectories }, { gain }) {
    const scores = amplified(trajectories.map(rewardOf), gain);
    const shared = sharedNodes(trajectories);
    return trajectories.map(({ id, steps, pivot }, index) => {
      const first = pivot ?? steps.filter(({ node }) => shared.has(node)).length;
      return {
        id,
        advantages: steps.map(() => scores[index] as number),
        mask: steps.map(({ actor }, place) => place >= first && actor === 'student'),
      };
    });
  },
});

/** Steps of more than one trajectory: what was replayed, or lies before a fork. */
function sharedNodes(trajectories: readonly CreditTrajectory[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const shared = new Set<string>();
  for (const { steps } of trajectories)
    for (const { node } of steps) {
      if (seen.has(node)) shared.add(node);
      seen.add(node);
    }
  return shared;
}
