import { invalidOption } from '../../core/errors.ts';

/** How many of n trials at a dose were struck. */
export interface DoseGroup {
  readonly dose: number;
  readonly n: number;
  readonly struck: number;
}

/**
 * Exact one-sided test of a trend over doses (Cochran and Armitage's statistic, its distribution worked out): how likely a sum of
 * the doses of the struck trials is that is at least as large, if the struck ones might as well be any. With two doses it is
 * Fisher's exact test.
 */
export function trendTest(groups: readonly DoseGroup[]): number {
  for (const { dose, n, struck } of groups)
    if (![dose, n, struck].every(value => Number.isInteger(value) && value >= 0) || struck > n)
      throw invalidOption(
        `${struck} of ${n} at dose ${dose} are no counts.`,
        'Expected whole numbers with 0 ≤ struck ≤ n.',
      );
  const all = groups.reduce((sum, { struck }) => sum + struck, 0);
  const observed = groups.reduce((sum, { dose, struck }) => sum + dose * struck, 0);
  // Weights by trials struck so far and by the sum of their doses. Logarithms would do for more trials than a run has.
  let weights = new Map([[0, new Map([[0, 1]])]]);
  for (const { dose, n } of groups) weights = withGroup(weights, { dose, n, most: all });
  const sums = [...(weights.get(all) ?? new Map<number, number>())];
  const total = sums.reduce((sum, [, weight]) => sum + weight, 0);
  const tail = sums.filter(([sum]) => sum >= observed).reduce((sum, [, weight]) => sum + weight, 0);
  return Math.min(1, tail / total);
}

type Weights = Map<number, Map<number, number>>;

function withGroup(weights: Weights, { dose, n, most }: { dose: number; n: number; most: number }): Weights {
  const next: Weights = new Map();
  const ways = choices(n);
  for (const [before, sums] of weights)
    for (let struck = 0; struck <= n && before + struck <= most; struck++) {
      const row = next.get(before + struck) ?? new Map<number, number>();
      next.set(before + struck, row);
      for (const [sum, weight] of sums) {
        const at = sum + dose * struck;
        row.set(at, (row.get(at) ?? 0) + weight * (ways[struck] as number));
      }
    }
  return next;
}

/** Ways to choose k of n, as shares of all 2ⁿ: factors cancel in the end, and nothing overflows. */
function choices(n: number): readonly number[] {
  const ways = [2 ** -n];
  for (let k = 1; k <= n; k++) ways.push(((ways[k - 1] as number) * (n - k + 1)) / k);
  return ways;
}
