import { invalidOption } from '../core/errors.ts';
import { wilson, type Interval } from './stats.ts';

/** What a judge said of an episode, and what the verifier says. */
export interface JudgedEpisode {
  readonly pass: boolean;
  /** How sure the judge was of that, from 0 to 1. */
  readonly confidence: number;
  /** Whether the verifier passes it. */
  readonly passed: boolean;
}

/** A share of cases; null when there are none. */
export interface Share {
  readonly n: number;
  readonly rate: number | null;
  readonly interval: Interval;
}

/** Episodes that the judge gave about the same chance of having passed. */
interface CalibrationBin {
  readonly low: number;
  readonly high: number;
  readonly n: number;
  /** The chance that the judge gave on average; null when there are none. */
  readonly said: number | null;
  /** The share that passed. */
  readonly passed: Share;
}

/** A judge as a classifier, measured against the verifier. */
export interface JudgeQuality {
  readonly n: number;
  readonly counts: {
    readonly truePasses: number;
    readonly falsePasses: number;
    readonly trueFailures: number;
    readonly falseFailures: number;
  };
  /** Of what it passed, the share that the verifier passes. */
  readonly precision: Share;
  /** Of what the verifier passes, the share that it passed. */
  readonly recall: Share;
  readonly accuracy: Share;
  /** Chance that it gives one that passes a higher chance than one that does not; null without some of both. */
  readonly auc: number | null;
  /** Mean square of how far its chances were off: 0 is best; always saying one half gives a quarter. */
  readonly brier: number | null;
  /** How far its chances are from the shares that passed, on average over the bins. */
  readonly calibrationError: number | null;
  readonly bins: readonly CalibrationBin[];
}

const binCount = 10;

export function judgeQuality(episodes: readonly JudgedEpisode[]): JudgeQuality {
  for (const { confidence } of episodes) requireShare(confidence);
  const n = episodes.length;
  const count = (pass: boolean, passed: boolean): number =>
    episodes.filter(episode => episode.pass === pass && episode.passed === passed).length;
  const [truePasses, falsePasses] = [count(true, true), count(true, false)];
  const [trueFailures, falseFailures] = [count(false, false), count(false, true)];
  const forecasts = episodes.map(forecastOf);
  const bins = binsOf(forecasts);
  return {
    n,
    counts: { truePasses, falsePasses, trueFailures, falseFailures },
    precision: shareOf(truePasses, truePasses + falsePasses),
    recall: shareOf(truePasses, truePasses + falseFailures),
    accuracy: shareOf(truePasses + trueFailures, n),
    auc: aucOf(forecasts),
    brier: n === 0 ? null : sum(forecasts, ({ chance, passed }) => (chance - (passed ? 1 : 0)) ** 2) / n,
    calibrationError:
      n === 0 ? null : sum(bins, bin => (bin.n / n) * Math.abs((bin.said ?? 0) - (bin.passed.rate ?? 0))),
    bins,
  };
}

interface Forecast {
  /** Of having passed. */
  readonly chance: number;
  readonly passed: boolean;
}

function forecastOf({ pass, confidence, passed }: JudgedEpisode): Forecast {
  return { chance: pass ? confidence : 1 - confidence, passed };
}

function binsOf(forecasts: readonly Forecast[]): CalibrationBin[] {
  return Array.from({ length: binCount }, (_, index) => {
    const inside = forecasts.filter(({ chance }) => binOf(chance) === index);
    return {
      low: index / binCount,
      high: (index + 1) / binCount,
      n: inside.length,
      said: inside.length === 0 ? null : sum(inside, ({ chance }) => chance) / inside.length,
      passed: shareOf(inside.filter(({ passed }) => passed).length, inside.length),
    };
  });
}

/** The last bin has its upper end as well. */
function binOf(chance: number): number {
  return Math.min(binCount - 1, Math.floor(chance * binCount));
}

/** By ranks (Mann-Whitney); equals count half. */
function aucOf(forecasts: readonly Forecast[]): number | null {
  const passed = forecasts.filter(forecast => forecast.passed).length;
  const failed = forecasts.length - passed;
  if (passed === 0 || failed === 0) return null;
  const sorted = forecasts.toSorted((a, b) => a.chance - b.chance);
  let ranks = 0;
  for (let start = 0; start < sorted.length; ) {
    let end = start;
    while (end < sorted.length && sorted[end]?.chance === sorted[start]?.chance) end++;
    // Equals share the mean of their ranks, counted from 1.
    const rank = (start + 1 + end) / 2;
    ranks += rank * sorted.slice(start, end).filter(forecast => forecast.passed).length;
    start = end;
  }
  return (ranks - (passed * (passed + 1)) / 2) / (passed * failed);
}

function shareOf(part: number, n: number): Share {
  return { n, rate: n === 0 ? null : part / n, interval: wilson(part, n) };
}

function sum<T>(items: readonly T[], valueOf: (item: T) => number): number {
  return items.reduce((total, item) => total + valueOf(item), 0);
}

function requireShare(confidence: number): void {
  if (confidence >= 0 && confidence <= 1) return;
  throw invalidOption(`A judge is ${confidence} sure.`, 'Expected a number from 0 to 1.');
}
