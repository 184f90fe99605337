import { z } from 'zod';
import { defineEstimator, type CreditTrajectory } from '../contract.ts';
import { rewardOf, sameForAllSteps } from '../returns.ts';
import { meanOf } from '../statistics.ts';
import { groupAdvantages } from './grpo.ts';

interface Sharpening {
  /** Mean log probability of the trajectory, and of its group. */
  readonly logprob: number;
  readonly groupLogprob: number;
  readonly novelty: number;
  readonly cap: number;
}

/** A correct answer that the policy found unlikely gets more, up to `cap` times its advantage. */
export function sharpened(advantage: number, { logprob, groupLogprob, novelty, cap }: Sharpening): number {
  const likelihood = Math.exp(logprob - groupLogprob);
  return advantage + Math.min(Math.max(novelty * (1 - likelihood), 0), cap * advantage);
}

export const xrpo = defineEstimator({
  name: 'xrpo',
  about: 'GRPO with more for correct trajectories that the policy found unlikely.',
  needsLogprobs: true,
  options: z.strictObject({
    novelty: z.number().nonnegative().default(0.5).meta({ description: 'weight of novelty' }),
    cap: z.number().nonnegative().default(0.5).meta({ description: 'most that is added, as a share of the advantage' }),
  }),
  estimate({ trajectories }, { novelty, cap }) {
    const advantages = groupAdvantages(trajectories);
    const logprobs = trajectories.map(meanLogprob);
    const groupLogprob = meanOf(logprobs);
    return trajectories.map((trajectory, index) => {
      const advantage = advantages[index] as number;
      const logprob = logprobs[index] as number;
      const isCorrect = rewardOf(trajectory) >= 1 && advantage > 0;
      return sameForAllSteps(
        trajectory,
        isCorrect ? sharpened(advantage, { logprob, groupLogprob, novelty, cap }) : advantage,
      );
    });
  },
});

/** Over sampled tokens where their number is known, else over the steps of the student. */
function meanLogprob({ steps }: CreditTrajectory): number {
  let sum = 0;
  let count = 0;
  for (const { actor, logprob, tokens = 1 } of steps) {
    if (actor !== 'student') continue;
    sum += (logprob as number) * tokens;
    count += tokens;
  }
  return count === 0 ? 0 : sum / count;
}
