import { invalidOption } from '../core/errors.ts';

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** How often something passed. */
export interface Tally {
  readonly n: number;
  readonly passed: number;
}

/** Score interval of a rate from independent trials: sound for few trials and at 0 and 1, where the normal one is not. */
export function wilson(passed: number, n: number, z = 1.96): Interval {
  checkTally({ n, passed });
  if (n === 0) return { low: 0, high: 1 };
  const rate = passed / n;
  const square = (z * z) / n;
  const centre = rate + square / 2;
  const spread = Math.sqrt(rate * (1 - rate) * square + (square * square) / 4);
  // The ends are exact by definition, which rounding would miss.
  return {
    low: passed === 0 ? 0 : (centre - spread) / (1 + square),
    high: passed === n ? 1 : (centre + spread) / (1 + square),
  };
}

/** Chance that at least one of k trials passes, unbiased: k drawn from the n that were made. */
export function passAtK(tally: Tally, k: number): number {
  checkDraw(tally, k);
  return 1 - chanceOfAll(tally.n - tally.passed, tally.n, k);
}

/** Chance that all of k trials pass, unbiased. (c/n)^k is not: it draws the same trial twice. */
export function passHatK(tally: Tally, k: number): number {
  checkDraw(tally, k);
  return chanceOfAll(tally.passed, tally.n, k);
}

/** Chance that k drawn from n without putting back are all among the `marked` ones. */
function chanceOfAll(marked: number, n: number, k: number): number {
  let chance = 1;
  for (let drawn = 0; drawn < k; drawn++) chance *= Math.max(0, marked - drawn) / (n - drawn);
  return chance;
}

export function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Of sorted values, between the two nearest. */
export function quantile(sorted: Float64Array, share: number): number {
  const place = share * (sorted.length - 1);
  const below = Math.floor(place);
  const low = sorted[below] as number;
  const high = sorted[Math.min(below + 1, sorted.length - 1)] as number;
  return low + (high - low) * (place - below);
}

/** Agreement of two beyond chance. Null where both said the same one thing of everything: chance alone would give that. */
export function cohensKappa(pairs: readonly (readonly [string, string])[]): number | null {
  const count = pairs.length;
  const equal = pairs.filter(([one, other]) => one === other).length / count;
  const words = new Set(pairs.flat());
  let chance = 0;
  for (const word of words) {
    const [first, second] = [0, 1].map(side => pairs.filter(pair => pair[side] === word).length / count);
    chance += (first ?? 0) * (second ?? 0);
  }
  return chance === 1 ? null : (equal - chance) / (1 - chance);
}

function checkTally({ n, passed }: Tally): void {
  if (Number.isInteger(n) && Number.isInteger(passed) && passed >= 0 && passed <= n) return;
  throw invalidOption(
    `There are no ${passed} passes among ${n} trials.`,
    'Expected whole numbers with 0 ≤ passed ≤ n.',
  );
}

function checkDraw(tally: Tally, k: number): void {
  checkTally(tally);
  if (Number.isInteger(k) && k >= 1 && k <= tally.n) return;
  throw invalidOption(
    `k = ${k} cannot be estimated from ${tally.n} trials.`,
    `Expected a whole number from 1 to ${tally.n}; run more trials of each task for a larger k.`,
  );
}
