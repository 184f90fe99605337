import { z } from 'zod';
import { defineEstimator, type CreditTrajectory } from '../contract.ts';
import { rewardOf, sameForAllSteps } from '../returns.ts';
import { groupAdvantages } from './grpo.ts';

const bonus = z.number().min(0).max(1).default(0.5);

/** Whether a step of the trajectory followed an item of a memory. */
function usesMemory({ steps }: CreditTrajectory): boolean {
  return steps.some(({ followed = 0 }) => followed > 0);
}

/** A pass with a memory is worth more than one without. */
export function ariseRewards(trajectories: readonly CreditTrajectory[], extra: number): number[] {
  return trajectories.map(trajectory => {
    const reward = rewardOf(trajectory);
    return reward === 1 && usesMemory(trajectory) ? 1 + extra : reward;
  });
}

/**
 * Two rewards for skills, beside that of the task: one for a pass that follows a memory, and one for an earlier pass at the same task
 * that a memory could be written from, once a later round passes with it.
 */
export function sageRewards(trajectories: readonly CreditTrajectory[], extra: number): number[] {
  const used = trajectories.filter(one => rewardOf(one) === 1 && usesMemory(one));
  const last = Math.max(-1, ...used.map(({ generation = 0 }) => generation));
  return trajectories.map(trajectory => {
    const reward = rewardOf(trajectory);
    if (reward !== 1) return reward;
    const isSource = (trajectory.generation ?? 0) < last;
    return reward + extra * (Number(usesMemory(trajectory)) + Number(isSource));
  });
}

function credited(trajectories: readonly CreditTrajectory[], rewards: readonly number[]) {
  const advantages = groupAdvantages(
    trajectories.map((trajectory, at) => ({ ...trajectory, reward: rewards[at] as number })),
  );
  return trajectories.map((trajectory, at) => sameForAllSteps(trajectory, advantages[at] as number));
}

export const arise = defineEstimator({
  name: 'arise',
  about: 'GRPO on a reward that is higher for passes that followed a memory.',
  options: z.strictObject({ bonus: bonus.meta({ description: 'more for a pass that followed a memory' }) }),
  estimate: ({ trajectories }, options) => credited(trajectories, ariseRewards(trajectories, options.bonus)),
});

export const sageRl = defineEstimator({
  name: 'sage-rl',
  about: 'GRPO over the rounds of a task, with a reward for passes that followed a memory and for those before them.',
  comparesRounds: true,
  options: z.strictObject({ bonus: bonus.meta({ description: 'of each of the two rewards for skills' }) }),
  estimate: ({ trajectories }, options) => credited(trajectories, sageRewards(trajectories, options.bonus)),
});
