import { z } from 'zod';
import { defineEstimator, type CreditGroup, type CreditTrajectory } from '../contract.ts';
import { groupAdvantages } from '../group/grpo.ts';
import { rewardOf } from '../returns.ts';

/** Fewer rollouts for tasks that nearly always pass: from `most` at no success down to `fewest` at full success. */
export function rolloutsFor(
  success: number,
  { fewest, most }: { readonly fewest: number; readonly most: number },
): number {
  return Math.round(most - (most - fewest) * success);
}

/** Adds a success that was collected before, only where every trajectory of the group failed. */
export function withPoolSuccess(group: CreditGroup, pool: CreditTrajectory | undefined): CreditGroup {
  const hasFailed = group.trajectories.every(({ reward }) => reward !== null && reward < 1);
  if (pool === undefined || !hasFailed || rewardOf(pool) < 1) return group;
  return { ...group, trajectories: [...group.trajectories, pool] };
}

/** How much more likely the policy of now finds a step than the one that sampled it, up to a cap. */
export function truncatedImportance(logprobs: { readonly now: number; readonly sampled: number }, cap: number): number {
  return Math.min(Math.exp(logprobs.now - logprobs.sampled), cap);
}

export const dart = defineEstimator({
  name: 'dart',
  about: 'GRPO on the steps in which the policy was least sure: the share with the highest entropy.',
  needsEntropies: true,
  options: z.strictObject({
    share: z.number().gt(0).max(1).default(0.8).meta({ description: 'share of the steps that are trained on' }),
  }),
  estimate({ trajectories }, { share }) {
    const advantages = groupAdvantages(trajectories);
    const entropies = trajectories.flatMap(({ steps }) =>
      steps.filter(({ actor }) => actor === 'student').map(({ entropy }) => entropy as number),
    );
    const sorted = entropies.toSorted((left, right) => right - left);
    const least = sorted[Math.ceil(share * sorted.length) - 1] ?? Infinity;
    return trajectories.map(({ id, steps }, index) => ({
      id,
      advantages: steps.map(() => advantages[index] as number),
      mask: steps.map(({ actor, entropy }) => actor === 'student' && (entropy as number) >= least),
    }));
  },
});
