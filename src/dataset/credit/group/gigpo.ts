import { z } from 'zod';
import { quotientKeys } from '../../../analysis/quotient.ts';
import { groupSteps, valuesByClass } from '../chains.ts';
import { readEstimatorOptions, type CreditTrajectory, type Estimator } from '../contract.ts';
import { discountedReturns, rewardOf } from '../returns.ts';
import { meanOf, sampleDeviation } from '../statistics.ts';

const epsilon = 1e-6;

const gigpoOptions = z.strictObject({
  gamma: z.number().min(0).max(1).default(0.95).meta({ description: 'discount of later rewards' }),
  omega: z.number().min(0).default(1).meta({ description: 'weight of the step advantage' }),
  scaled: z.boolean().default(true).meta({ description: 'divide by the deviation of each group' }),
});

/** What the mean and the deviation of the rewards of a group are taken over. */
type Baseline = 'steps' | 'trajectories';

/**
 * Group-in-group policy optimization: the trajectory beside its group (A^E), plus ω times the step beside all steps that
 * were taken in the same state (A^S). A step whose state nobody else met has no step advantage.
 */
function gigpoBy(
  name: string,
  baseline: Baseline,
): Pick<Estimator, 'fewest' | 'create'> & { readonly options: typeof gigpoOptions } {
  return {
    options: gigpoOptions,
    // One trajectory that comes to the same state twice can be compared with itself.
    fewest: 1,
    create(given = {}) {
      const { gamma, omega, scaled } = readEstimatorOptions(name, gigpoOptions, given);
      return ({ trajectories }) => {
        const whole = episodeAdvantages(trajectories, baseline, scaled);
        const byStep = anchorAdvantages(trajectories, gamma, scaled);
        return trajectories.map(({ id, steps }, index) => ({
          id,
          advantages: steps.map((_, place) => (whole[index] as number) + omega * (byStep[index]?.[place] as number)),
          mask: steps.map(() => true),
        }));
      };
    },
  };
}

/** A group of one has the mean 0 and the deviation 1, as in the public code. */
function episodeAdvantages(trajectories: readonly CreditTrajectory[], baseline: Baseline, isScaled: boolean): number[] {
  const rewards = trajectories.map(rewardOf);
  if (rewards.length === 1) return rewards;
  const counted =
    baseline === 'steps'
      ? trajectories.flatMap(({ steps }, index) => steps.map(() => rewards[index] as number))
      : rewards;
  const mean = meanOf(counted);
  const scale = isScaled ? sampleDeviation(counted) + epsilon : 1;
  return rewards.map(reward => (reward - mean) / scale);
}

/** Each step beside the steps in the same state, by discounted return. */
export function anchorAdvantages(
  trajectories: readonly CreditTrajectory[],
  gamma: number,
  isScaled: boolean,
): number[][] {
  const returns = trajectories.map(trajectory => discountedReturns(trajectory, gamma));
  const anchors = groupSteps(trajectories, quotientKeys.state);
  const figures = valuesByClass(anchors, returns).map(values => ({
    count: values.length,
    mean: meanOf(values),
    scale: isScaled && values.length > 1 ? sampleDeviation(values) + epsilon : 1,
  }));
  return returns.map((own, index) =>
    own.map((value, place) => {
      const { count, mean, scale } = figures[anchors.classes[index]?.[place] as number] as (typeof figures)[number];
      return count === 1 ? 0 : (value - mean) / scale;
    }),
  );
}

export const gigpo: Estimator = {
  name: 'gigpo',
  about: 'GRPO plus the step beside steps in the same state. Means over steps, as in the public code.',
  ...gigpoBy('gigpo', 'steps'),
};

export const gigpoPaper: Estimator = {
  name: 'gigpo-paper',
  about: 'GiGPO with means over trajectories, as in the paper.',
  ...gigpoBy('gigpo-paper', 'trajectories'),
};
