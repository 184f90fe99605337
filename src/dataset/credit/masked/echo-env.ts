import { z } from 'zod';
import { defineEstimator } from '../contract.ts';
import { groupAdvantages } from '../group/grpo.ts';

/**
 * GRPO on the actions of the student, and a prediction loss on the observations that answered them. The observation after
 * a teacher's step is left out: it does not follow from what the policy does.
 */
export const echoEnv = defineEstimator({
  name: 'echo-env',
  about:
    'GRPO on actions, and a weight for predicting the observation after each: also groups with equal rewards learn.',
  options: z.strictObject({
    lambda: z.number().nonnegative().default(0.1).meta({ description: 'weight of predicting observations' }),
  }),
  estimate({ trajectories }, { lambda }) {
    const advantages = groupAdvantages(trajectories);
    return trajectories.map(({ id, steps }, index) => ({
      id,
      advantages: steps.map(() => advantages[index] as number),
      mask: steps.map(({ actor }) => actor === 'student'),
      observationWeights: steps.map(({ actor }) => (actor === 'student' ? lambda : 0)),
    }));
  },
});
