import { z } from 'zod';
import { defineEstimator, type CreditTrajectory } from '../contract.ts';
import { rewardOf, sameForAllSteps } from '../returns.ts';
import { groupAdvantages } from './grpo.ts';

interface Shaping {
  readonly calls: 'tools' | 'steps';
  readonly penalty: number;
  readonly floor: number;
}

/**
 * Takes something off for every tool call beyond the fewest with which a trajectory of the group passed, but only where
 * the answer was right: an agent that is wrong is not told to search less.
 */
export function lightRewards(
  trajectories: readonly CreditTrajectory[],
  { penalty, floor, calls: counted }: Shaping,
): number[] {
  const calls = trajectories.map(
    ({ steps }) => steps.filter(({ action }) => counted === 'steps' || action.startsWith('call ')).length,
  );
  const rewards = trajectories.map(rewardOf);
  const fewest = Math.min(...calls.filter((_, index) => rewards[index] === 1));
  return rewards.map((reward, index) =>
    reward === 1 ? Math.max(floor, 1 - penalty * ((calls[index] as number) - fewest)) : reward,
  );
}

export const lightsearcher = defineEstimator({
  name: 'lightsearcher',
  about: 'GRPO on a reward that counts needless tool calls, where the answer was right.',
  options: z.strictObject({
    penalty: z.number().min(0).max(1).default(0.05).meta({ description: 'taken off for each needless call' }),
    calls: z
      .enum(['tools', 'steps'])
      .default('tools')
      .meta({ description: 'what is counted: calls of tools, or all steps' }),
    floor: z.number().min(0).max(1).default(0.5).meta({ description: 'least reward of a right answer' }),
  }),
  estimate({ trajectories }, shaping) {
    const rewards = lightRewards(trajectories, shaping);
    const advantages = groupAdvantages(
      trajectories.map((trajectory, at) => ({ ...trajectory, reward: rewards[at] as number })),
    );
    return trajectories.map((trajectory, at) => sameForAllSteps(trajectory, advantages[at] as number));
  },
});
