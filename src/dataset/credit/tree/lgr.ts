import { z } from 'zod';
import { groupSteps, valuesByClass } from '../chains.ts';
import { defineEstimator, type CreditTrajectory } from '../contract.ts';
import { discountedReturns } from '../returns.ts';
import { meanOf } from '../statistics.ts';
import { quotientKeys } from '../../../analysis/quotient.ts';

/**
 * The value of an action in a state is the mean discounted return of every try of it. Its advantage is that value beside
 * the mean over the actions that were tried in the state, each counted once, however often it was tried.
 */
export function lookaheadAdvantages(trajectories: readonly CreditTrajectory[], gamma: number): number[][] {
  const returns = trajectories.map(trajectory => discountedReturns(trajectory, gamma));
  const states = groupSteps(trajectories, quotientKeys.state);
  const tries = groupSteps(trajectories, (tree, place) => `${quotientKeys.state(tree, place)} ${tree[place]?.action}`);
  const values = valuesByClass(tries, returns).map(meanOf);
  const tried: Set<number>[] = states.keys.map(() => new Set());
  for (const [index, own] of tries.classes.entries())
    for (const [place, action] of own.entries()) tried[states.classes[index]?.[place] as number]?.add(action);
  const means = tried.map(actions => meanOf([...actions].map(action => values[action] as number)));
  return tries.classes.map((own, index) =>
    Array.from(own, (action, place) => {
      const state = states.classes[index]?.[place] as number;
      return (values[action] as number) - (means[state] as number);
    }),
  );
}

export const lgr = defineEstimator({
  name: 'lgr',
  about:
    'Lookahead group reward, by our own definition: the value of an action beside the other actions tried in its state, each once.',
  fewest: 1,
  options: z.strictObject({
    gamma: z.number().min(0).max(1).default(0.95).meta({ description: 'discount of later rewards' }),
  }),
  estimate({ trajectories }, { gamma }) {
    const advantages = lookaheadAdvantages(trajectories, gamma);
    return trajectories.map(({ id, steps }, index) => ({
      id,
      advantages: advantages[index] as number[],
      mask: steps.map(() => true),
    }));
  },
});
