import { quotient, type Quotient, type QuotientKey, type QuotientTree } from '../../analysis/quotient.ts';
import type { CreditTrajectory } from './contract.ts';

/** Groups the steps of trajectories by a key. Each trajectory is a chain: every step follows the one before it. */
export function groupSteps(trajectories: readonly CreditTrajectory[], key: QuotientKey): Quotient {
  return quotient(trajectories.map(chainOf), key);
}

function chainOf({ steps }: CreditTrajectory): QuotientTree {
  return steps.map(({ state, after, action, node }, place) => ({
    parent: place - 1,
    before: state,
    after,
    action,
    node,
  }));
}

/** The values of the steps of each class. */
export function valuesByClass({ keys, classes }: Quotient, values: readonly (readonly number[])[]): number[][] {
  const byClass: number[][] = keys.map(() => []);
  for (const [index, own] of classes.entries())
    for (const [place, found] of own.entries()) byClass[found]?.push(values[index]?.[place] as number);
  return byClass;
}
