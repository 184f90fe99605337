import { z } from 'zod';
import { defineEstimator } from '../contract.ts';
import { discountedReturns } from '../returns.ts';
import { meanOf, sampleDeviation } from '../statistics.ts';
import { groupAdvantages } from './grpo.ts';

const epsilon = 1e-6;

/** Semi-online RL: trajectories beside their group, and steps beside the steps with the same number. Patches are masked. */
export const uiS1 = defineEstimator({
  name: 'ui-s1',
  about: 'GRPO plus the step beside steps with the same number; steps that a teacher patched are masked.',
  options: z.strictObject({
    gamma: z.number().min(0).max(1).default(0.5).meta({ description: 'discount of later rewards' }),
    episode: z.number().nonnegative().default(1).meta({ description: 'weight of the trajectory' }),
    step: z.number().nonnegative().default(1).meta({ description: 'weight of the step' }),
  }),
  estimate({ trajectories }, { gamma, episode, step }) {
    const whole = groupAdvantages(trajectories);
    const returns = trajectories.map(trajectory => discountedReturns(trajectory, gamma));
    const longest = Math.max(...returns.map(({ length }) => length));
    const figures = Array.from({ length: longest }, (_, place) => {
      const values = returns.flatMap(own => own.slice(place, place + 1));
      return { mean: meanOf(values), scale: values.length > 1 ? sampleDeviation(values) + epsilon : Infinity };
    });
    return trajectories.map(({ id, steps }, index) => ({
      id,
      advantages: steps.map((_, place) => {
        const { mean, scale } = figures[place] as (typeof figures)[number];
        const byStep = ((returns[index]?.[place] as number) - mean) / scale;
        return episode * (whole[index] as number) + step * byStep;
      }),
      mask: steps.map(({ actor }) => actor === 'student'),
    }));
  },
});
