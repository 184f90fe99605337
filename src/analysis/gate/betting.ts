import { invalidOption } from '../../core/errors.ts';
import type { Interval } from '../stats.ts';

export interface BettingOptions {
  /** The mean that is bet against, from -1 to 1. */
  readonly threshold: number;
  /** How far from the threshold the mean would have to be to matter. It decides how fast evidence grows, never how often it errs. */
  readonly distance: number;
  /** On which side of the threshold the mean would lie. */
  readonly side: 'above' | 'below';
}

/** Evidence that the mean of values in [-1, 1] lies on one side of a threshold. */
export interface Betting {
  /** Takes the next value; returns the evidence so far. */
  add(value: number): number;
  /** Capital of the bets, 1 at the start. */
  evidence(): number;
  /** The most that it ever was. */
  peak(): number;
}

/** A quarter of the capital is kept on half the distance, for means that lie between. */
const bets = [
  { share: 0.75, size: 1 },
  { share: 0.25, size: 0.5 },
] as const;

/** What the variance of the values is taken for before any came, and how many values that is worth. */
const prior = { variance: 0.1, weight: 2 } as const;

/** No value takes more of the capital than this. */
const largestLoss = 0.8;

/**
 * Bets on every value before it is seen. If the mean lies on the other side, the capital is expected not to grow, whatever the
 * distribution of the values, so that it ever reaches 1/α in at most a share α of all cases (Ville's inequality). One may look
 * after every value and stop when it has.
 */
export function createBetting({ threshold, distance, side }: BettingOptions): Betting {
  requireSense(threshold, distance);
  const sign = side === 'above' ? 1 : -1;
  const capitals = bets.map(({ share }) => share as number);
  const most = largestLoss / (1 + Math.abs(threshold));
  const spread = createSpread();
  let peak = 1;
  const evidence = (): number => capitals.reduce((sum, capital) => sum + capital, 0);
  return {
    evidence,
    peak: () => peak,
    add(value) {
      if (!(value >= -1 && value <= 1)) throw outOfRange(value);
      const variance = spread.variance();
      for (const [index, { size }] of bets.entries()) {
        const stake = stakeFor(distance * size, variance, most);
        capitals[index] = (capitals[index] as number) * (1 + stake * sign * (value - threshold));
      }
      spread.add(value);
      peak = Math.max(peak, evidence());
      return evidence();
    },
  };
}

/** The stake with which capital grows fastest, if the mean is that far away. */
function stakeFor(distance: number, variance: number, most: number): number {
  return Math.min(most, distance / (variance + distance * distance));
}

interface Spread {
  add(value: number): void;
  variance(): number;
}

function createSpread(): Spread {
  let [n, mean, squares] = [0, 0, 0];
  return {
    add(value) {
      n += 1;
      const before = value - mean;
      mean += before / n;
      squares += before * (value - mean);
    },
    variance: () => (prior.variance * prior.weight + squares) / (prior.weight + n),
  };
}

const gridStep = 0.005;

/** Means that bets at level α on either side did not rule out, at any of the looks: an interval of 1 - 2α that holds at every look. */
export function confidenceSequence(values: readonly number[], alpha: number, distance: number): Interval {
  const isRuledOut = (threshold: number, side: BettingOptions['side']): boolean => {
    const betting = createBetting({ threshold, distance, side });
    return values.some(value => betting.add(value) >= 1 / alpha);
  };
  const steps = Math.round(2 / gridStep);
  const at = (step: number): number => Math.round((step * gridStep - 1) * 1000) / 1000;
  let [low, high] = [0, steps];
  while (low < steps && isRuledOut(at(low), 'above')) low++;
  while (high > low && isRuledOut(at(high), 'below')) high--;
  return { low: at(low), high: at(high) };
}

/** How many more values would be enough, roughly. */
export interface Needed {
  /** If their mean stays what it is; null when the evidence would not grow. */
  readonly asSeen: number | null;
  /** If their mean lay the distance away from the threshold. */
  readonly atDistance: number;
}

/** Continues the bet of the side that the values are on, at the rate at which it grew. */
export function valuesNeeded(
  values: readonly number[],
  { threshold, distance }: Omit<BettingOptions, 'side'>,
  alpha: number,
): Needed {
  const spread = createSpread();
  for (const value of values) spread.add(value);
  const mean = values.length === 0 ? threshold : values.reduce((sum, value) => sum + value, 0) / values.length;
  const side = mean < threshold ? 'below' : 'above';
  const betting = createBetting({ threshold, distance, side });
  for (const value of values) betting.add(value);
  const gains = values.map(value => (side === 'above' ? value - threshold : threshold - value));
  const stake = stakeFor(distance, spread.variance(), largestLoss / (1 + Math.abs(threshold)));
  const growth = averageGrowth(gains, stake);
  const missing = Math.log(1 / alpha) - Math.log(betting.evidence());
  // Growth at another mean, with the spread that was seen: the second-order term is what betting loses to it.
  const ideal = stake * distance - (stake * stake * (spread.variance() + distance * distance)) / 2;
  return {
    asSeen: growth > 1e-4 ? Math.max(1, Math.ceil(missing / growth)) : null,
    atDistance: Math.max(1, Math.ceil(missing / ideal)),
  };
}

function averageGrowth(gains: readonly number[], stake: number): number {
  if (gains.length === 0) return 0;
  return gains.reduce((sum, gain) => sum + Math.log(1 + stake * gain), 0) / gains.length;
}

function requireSense(threshold: number, distance: number): void {
  if (Math.abs(threshold) <= 1 && distance > 0 && distance < 1) return;
  throw invalidOption(
    `No bet can be made on a mean ${distance} away from ${threshold}.`,
    'Expected a threshold from -1 to 1, and a distance between 0 and 1.',
  );
}

function outOfRange(value: number): Error {
  return invalidOption(`The value ${value} cannot be bet on.`, 'Expected a difference of rates, from -1 to 1.');
}
