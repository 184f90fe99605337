import { z } from 'zod';
import { defineEstimator, type CreditTrajectory } from '../contract.ts';
import { CreditError } from '../credit-error.ts';
import { rewardOf, sameForAllSteps } from '../returns.ts';
import { meanOf } from '../statistics.ts';

/**
 * A trajectory beside its generation, plus how much the generation gained on the one before it. The first generation of a
 * group gained nothing; a group with one generation alone has no advantages.
 */
export const skillR1 = defineEstimator({
  name: 'skill-r1',
  about: 'Reward beside the mean of its generation, plus what the generation gained on the one before.',
  comparesRounds: true,
  options: z.strictObject({
    gain: z.number().nonnegative().default(1).meta({ description: 'weight of the gain on the generation before' }),
  }),
  estimate({ id, trajectories }, { gain }) {
    const means = new Map(
      [...Map.groupBy(trajectories, generationOf)].map(([generation, own]) => [generation, meanOf(own.map(rewardOf))]),
    );
    const generations = [...means.keys()].toSorted((left, right) => left - right);
    if (generations.length < 2)
      throw new CreditError('no-generation', `Group ${id} has generation ${generations[0]} alone: nothing to gain on.`);
    return trajectories.map(trajectory => {
      const generation = generationOf(trajectory);
      const mean = means.get(generation) as number;
      const before = means.get(generations[generations.indexOf(generation) - 1] ?? generation) as number;
      return sameForAllSteps(trajectory, rewardOf(trajectory) - mean + gain * (mean - before));
    });
  },
});

function generationOf({ id, generation }: CreditTrajectory): number {
  if (generation !== undefined) return generation;
  throw new CreditError('no-generation', `Trajectory ${id} does not say which generation it belongs to.`);
}
