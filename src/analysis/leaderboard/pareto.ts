import { compareScores } from '../ranks.ts';

/** What it brings, and what it costs. */
export interface Tradeoff {
  readonly rate: number;
  readonly cost: number;
}

/** Whether one is at least as good and as cheap as the other, and better in one of both. */
export function dominates(one: Tradeoff, other: Tradeoff): boolean {
  const [gain, saving] = [compareScores(one.rate, other.rate), compareScores(other.cost, one.cost)];
  return gain >= 0 && saving >= 0 && gain + saving > 0;
}

/** Those that no other dominates, the cheapest first. */
export function paretoFront<T extends Tradeoff>(all: readonly T[]): readonly T[] {
  return all
    .filter(one => !all.some(other => dominates(other, one)))
    .toSorted((one, other) => one.cost - other.cost || one.rate - other.rate);
}
