import type { CreditTrajectory, TrajectoryCredit } from './contract.ts';

/** The reward of a trajectory that was verified: `createCredit` lets no other through. */
export function rewardOf({ reward }: Pick<CreditTrajectory, 'reward'>): number {
  return reward as number;
}

/** Reward of each step: its own, or the reward of the trajectory at the last step. */
function stepRewards(trajectory: CreditTrajectory): number[] {
  const { steps } = trajectory;
  if (steps.some(({ reward }) => reward !== undefined)) return steps.map(({ reward = 0 }) => reward);
  const rewards = steps.map(() => 0);
  rewards[rewards.length - 1] = rewardOf(trajectory);
  return rewards;
}

/** What was still to come at each step: R_t = r_t + γ R_(t+1). */
export function discountedReturns(trajectory: CreditTrajectory, gamma: number): number[] {
  const returns = stepRewards(trajectory);
  for (let step = returns.length - 2; step >= 0; step--)
    returns[step] = (returns[step] as number) + gamma * (returns[step + 1] as number);
  return returns;
}

/** The same advantage for every step; every step counts. */
export function sameForAllSteps({ id, steps }: CreditTrajectory, advantage: number): TrajectoryCredit {
  return { id, advantages: steps.map(() => advantage), mask: steps.map(() => true) };
}
