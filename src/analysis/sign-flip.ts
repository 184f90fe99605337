import { invalidOption } from '../core/errors.ts';

/** How likely sums as extreme as that of the values are, if every value might as well have the other sign. */
export interface SignFlips {
  /** Of a sum at least as large. */
  readonly above: number;
  /** Of a sum at least as small. */
  readonly below: number;
}

/**
 * Exact one-sided test of whole numbers that are symmetric around 0, over all 2ⁿ choices of signs. A value is the balance of a
 * cluster: all of its flips change sign together. Where every cluster is one pair, it is the exact test of McNemar.
 */
export function signFlipTest(values: readonly number[]): SignFlips {
  const wrong = values.find(value => !Number.isInteger(value));
  if (wrong !== undefined)
    throw invalidOption(`${wrong} is no balance of flips.`, 'Expected whole numbers: fixes minus regressions.');
  const sizes = values.map(value => Math.abs(value)).filter(size => size > 0);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const observed = values.reduce((sum, value) => sum + value, 0);
  const chances = sumsOfSigns(sizes, total);
  const tail = (least: number): number => {
    let sum = 0;
    for (let place = least + total; place <= 2 * total; place++) sum += chances[place] as number;
    return Math.min(1, sum);
  };
  // The distribution is symmetric.
  return { above: tail(observed), below: tail(-observed) };
}

/** Chance of every sum from -total to total. */
function sumsOfSigns(sizes: readonly number[], total: number): Float64Array {
  let chances = new Float64Array(2 * total + 1);
  chances[total] = 1;
  for (const size of sizes) {
    const next = new Float64Array(2 * total + 1);
    for (const [place, chance] of chances.entries()) {
      if (chance === 0) continue;
      next[place + size] = (next[place + size] as number) + chance / 2;
      next[place - size] = (next[place - size] as number) + chance / 2;
    }
    chances = next;
  }
  return chances;
}
