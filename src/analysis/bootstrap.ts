import { EspalierError } from '../core/errors.ts';
import type { Random } from '../core/random.ts';
import { type Interval, wilson } from './stats.ts';

/** One trial of a task, and where the task belongs. */
export interface NestedValue {
  readonly app: string;
  readonly template: string;
  readonly task: string;
  readonly value: number;
}

export interface BootstrapOptions {
  readonly random: Random;
  /** Resamples, at least 2,000. */
  readonly repetitions?: number;
  /** What a value can be at the least and the most. */
  readonly range: Interval;
}

export interface NestedMean extends Interval {
  readonly mean: number;
}

/** Fewer resamples leave the ends of an interval to chance. */
const fewestRepetitions = 2000;

/**
 * Percentile interval of 95 % for the mean of nested trials: apps are drawn with replacement, in each of them templates,
 * in these tasks, in these trials. For a paired difference, give the differences: both sides are then drawn by the same indices.
 */
export function bootstrap(values: readonly NestedValue[], options: BootstrapOptions): NestedMean {
  const { random, repetitions = fewestRepetitions, range } = options;
  if (values.length === 0) throw invalid('There are no values to resample.', 'Expected at least one trial.');
  if (!Number.isInteger(repetitions) || repetitions < fewestRepetitions)
    throw invalid(`${repetitions} repetitions are too few.`, `Expected at least ${fewestRepetitions}.`);
  const nest = flatten(values);
  const mean = meanOf(nest, null);
  const first = nest.values[0] as number;
  if (nest.values.every(value => value === first)) return { mean, ...leftOpen(first, nest.values.length, range) };

  const means = new Float64Array(repetitions);
  for (let repetition = 0; repetition < repetitions; repetition++) means[repetition] = meanOf(nest, random);
  means.sort();
  return { mean, low: quantile(means, 0.025), high: quantile(means, 0.975) };
}

/** Resampling values that are all alike shows no spread, which is not certainty: what n alike ones cannot rule out. */
function leftOpen(value: number, n: number, range: Interval): Interval {
  const sure = wilson(n, n).low;
  return { low: sure * value + (1 - sure) * range.low, high: sure * value + (1 - sure) * range.high };
}

/** Mean of means: each app weighs alike, in it each template, in it each task. */
export function nestedMean(values: readonly NestedValue[]): number {
  return meanOf(flatten(values), null);
}

/** The nest as arrays: `starts[level][i]` is where the children of node i of that level begin on the next. */
interface Nest {
  readonly starts: readonly Uint32Array[];
  readonly values: Float64Array;
}

/** Mean of means of the nest, or of a resample of it. */
function meanOf({ starts, values }: Nest, random: Random | null): number {
  const last = starts.length - 1;
  const below = (level: number, node: number): number => {
    const own = starts[level] as Uint32Array;
    const start = own[node] as number;
    const size = (own[node + 1] as number) - start;
    let sum = 0;
    for (let place = 0; place < size; place++) {
      const chosen = start + (random === null || size === 1 ? place : Math.floor(random.next() * size));
      sum += level === last ? (values[chosen] as number) : below(level + 1, chosen);
    }
    return sum / size;
  };
  return below(0, 0);
}

/** Sorted on every level, so that the order in which trials arrive does not matter. */
function flatten(values: readonly NestedValue[]): Nest {
  const apps = [...Map.groupBy(values, item => item.app)].toSorted(byName);
  const templates = apps.map(([, items]) => [...Map.groupBy(items, item => item.template)].toSorted(byName));
  const tasks = templates.flat().map(([, items]) => [...Map.groupBy(items, item => item.task)].toSorted(byName));
  const trials = tasks.flat().map(([, items]) => items.map(item => item.value).toSorted((a, b) => a - b));
  return { starts: [apps.length, templates, tasks, trials].map(startsOf), values: Float64Array.from(trials.flat()) };
}

function startsOf(level: number | readonly (readonly unknown[])[]): Uint32Array {
  if (typeof level === 'number') return Uint32Array.of(0, level);
  const starts = new Uint32Array(level.length + 1);
  for (const [index, group] of level.entries()) starts[index + 1] = (starts[index] as number) + group.length;
  return starts;
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function quantile(sorted: Float64Array, share: number): number {
  const place = share * (sorted.length - 1);
  const below = Math.floor(place);
  const low = sorted[below] as number;
  const high = sorted[Math.min(below + 1, sorted.length - 1)] as number;
  return low + (high - low) * (place - below);
}

function invalid(message: string, expected: string): EspalierError {
  return new EspalierError({ boundary: 'input', code: 'invalid-option', message, expected });
}
