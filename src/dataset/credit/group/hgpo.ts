import { z } from 'zod';
import type { Quotient } from '../../../analysis/quotient.ts';
import { groupByHistory, valuesByClass } from '../chains.ts';
import { defineEstimator } from '../contract.ts';
import { discountedReturns } from '../returns.ts';
import { meanOf, populationDeviation } from '../statistics.ts';

const epsilon = 1e-6;
/** Differences below this come from rounding. */
const negligible = 1e-9;

/**
 * Hierarchy-of-groups policy optimization: a step is compared with steps that share its last k states, for every k up to
 * the history and one more. Longer shared histories weigh more. Levels that say nothing are left out.
 */
export const hgpo = defineEstimator({
  name: 'hgpo',
  about: 'The step beside steps with the same last states, for several lengths of history; longer ones weigh more.',
  fewest: 1,
  options: z.strictObject({
    gamma: z.number().min(0).max(1).default(0.95).meta({ description: 'discount of later rewards' }),
    history: z.int().nonnegative().default(2).meta({ description: 'states before the present one that are compared' }),
    alpha: z.number().nonnegative().default(1).meta({ description: 'how much more longer histories weigh' }),
    scaled: z.boolean().default(true).meta({ description: 'divide by the deviation of each group' }),
  }),
  estimate({ trajectories }, { gamma, history, alpha, scaled }) {
    const returns = trajectories.map(trajectory => discountedReturns(trajectory, gamma));
    const levels = groupByHistory(trajectories, history + 1).map(shared => levelAdvantages(returns, shared, scaled));
    return trajectories.map(({ id, steps }, index) => ({
      id,
      advantages: steps.map((_, place) => {
        let sum = 0;
        let weights = 0;
        for (const [level, advantages] of levels.entries()) {
          const advantage = advantages[index]?.[place] as number;
          if (Math.abs(advantage) < negligible) continue;
          const weight = (level + 2) ** alpha;
          sum += weight * advantage;
          weights += weight;
        }
        return weights === 0 ? 0 : sum / weights;
      }),
      mask: steps.map(() => true),
    }));
  },
});

/** 0 where no other step shares the last states. The deviation is that of a population. */
function levelAdvantages(returns: readonly (readonly number[])[], shared: Quotient, isScaled: boolean): number[][] {
  const figures = valuesByClass(shared, returns).map(values => ({
    mean: meanOf(values),
    scale: isScaled ? populationDeviation(values) + epsilon : 1,
  }));
  return returns.map((own, index) =>
    own.map((value, place) => {
      const found = figures[shared.classes[index]?.[place] as number];
      return found === undefined ? 0 : (value - found.mean) / found.scale;
    }),
  );
}
