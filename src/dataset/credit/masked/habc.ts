import { z } from 'zod';
import { defineEstimator, type CreditStep } from '../contract.ts';
import { groupAdvantages } from '../group/grpo.ts';

/** First step of the span that the outcome may be credited for: the one after the last step of anybody else. */
function creditSpanStart(steps: readonly Pick<CreditStep, 'actor'>[]): number {
  return steps.findLastIndex(({ actor }) => actor !== 'student') + 1;
}

/** Outcome credit only where the student acted alone: no step of a teacher, and nothing before the last intervention. */
export const habc = defineEstimator({
  name: 'habc',
  about: 'GRPO on the steps after the last intervention: the outcome is credited to the student alone.',
  options: z.strictObject({}),
  estimate({ trajectories }) {
    const advantages = groupAdvantages(trajectories);
    return trajectories.map(({ id, steps }, index) => {
      const start = creditSpanStart(steps);
      return {
        id,
        advantages: steps.map(() => advantages[index] as number),
        mask: steps.map((_, place) => place >= start),
      };
    });
  },
});
