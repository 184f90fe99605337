import { z } from 'zod';
import { defineEstimator } from '../contract.ts';
import { groupAdvantages } from '../group/grpo.ts';

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
