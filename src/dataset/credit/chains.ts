import { quotient, quotientKeys, type Quotient, type QuotientKey, type QuotientTree } from '../../analysis/quotient.ts';
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

/** Groups the steps by their last 1, 2, … states. States are numbered first, so that long keys stay short. */
export function groupByHistory(trajectories: readonly CreditTrajectory[], longest: number): readonly Quotient[] {
  const chains = trajectories.map(chainOf);
  const states = quotient(chains, quotientKeys.state);
  const numbered = chains.map((chain, index) =>
    chain.map((step, place) => ({ ...step, before: String(states.classes[index]?.[place]) })),
  );
  const longer = Array.from({ length: longest - 1 }, (_, more) =>
    quotient(numbered, quotientKeys.lastStates(more + 2)),
  );
  return [states, ...longer];
}

/** The values of the steps of each class. */
export function valuesByClass({ keys, classes }: Quotient, values: readonly (readonly number[])[]): number[][] {
  const byClass: number[][] = keys.map(() => []);
  for (const [index, own] of classes.entries())
    for (const [place, found] of own.entries()) byClass[found]?.push(values[index]?.[place] as number);
  return byClass;
}
