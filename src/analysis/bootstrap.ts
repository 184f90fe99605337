import { invalidOption } from '../core/errors.ts';
import type { Random } from '../core/random.ts';
import { type Interval, quantile, wilson } from './stats.ts';

/** One trial of a task, and where the task belongs. */
export interface NestedValue {
  readonly app: string;
  readonly template: string;
  readonly task: string;
  /** Which of several trained students made the trial; all are the same one when left out. */
  readonly seed?: string | undefined;
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

/** With fewer templates apart from the others, resampling shows too little of what other templates could do. */
const fewestApart = 5;

/**
 * Percentile interval of 95 % for the mean of nested trials: apps are drawn with replacement, in each of them templates,
 * in these tasks, in these trials. Training seeds are drawn apart from that, the same for all tasks. Where hardly any
 * template differs from the others, the interval is at least what as many templates that all agree leave open. For a
 * paired difference, give the differences: both sides are then drawn by the same indices.
 */
export function bootstrap(values: readonly NestedValue[], options: BootstrapOptions): NestedMean {
  const { random, repetitions = fewestRepetitions, range } = options;
  if (values.length === 0) throw invalidOption('There are no values to resample.', 'Expected at least one trial.');
  if (!Number.isInteger(repetitions) || repetitions < fewestRepetitions)
    throw invalidOption(`${repetitions} repetitions are too few.`, `Expected at least ${fewestRepetitions}.`);
  const nest = flatten(values);
  const mean = meanOf(nest, null);
  const clusters = clusterMeans(nest);
  const open = leftOpen(mean, clusters.length, range);
  if (nest.values.every(value => value === nest.values[0])) return { mean, ...open };

  const means = new Float64Array(repetitions);
  for (let repetition = 0; repetition < repetitions; repetition++) means[repetition] = meanOf(nest, random);
  means.sort();
  const [low, high] = [quantile(means, 0.025), quantile(means, 0.975)];
  if (apart(clusters) >= fewestApart) return { mean, low, high };
  return { mean, low: Math.min(low, open.low), high: Math.max(high, open.high) };
}

/** What n clusters that all agree cannot rule out: a share of others, at either end of the range. */
function leftOpen(mean: number, n: number, range: Interval): Interval {
  const sure = wilson(n, n).low;
  return { low: sure * mean + (1 - sure) * range.low, high: sure * mean + (1 - sure) * range.high };
}

/** Clusters whose mean is not the most frequent one. */
function apart(means: readonly number[]): number {
  const sizes = [...Map.groupBy(means, mean => mean.toFixed(9)).values()].map(group => group.length);
  return means.length - Math.max(...sizes);
}

/** Means of the templates, whose tasks depend on each other; of a single template its tasks, of a single task its trials. */
function clusterMeans(nest: Nest): number[] {
  const levels = [levelOf.template, levelOf.task, levelOf.trial];
  const level = levels.find(at => nodesAt(nest, at) > 1) ?? levelOf.template;
  return Array.from({ length: nodesAt(nest, level) }, (_, node) => meanBelow({ nest, draw: null }, level, node));
}

/** Mean of means: each app weighs alike, in it each template, in it each task. */
export function nestedMean(values: readonly NestedValue[]): number {
  return meanOf(flatten(values), null);
}

/** The nest as arrays: `starts[level][i]` is where the children of node i of that level begin on the next. */
interface Nest {
  readonly starts: readonly Uint32Array[];
  readonly values: Float64Array;
  /** Of each group of trials that one trained student made in a task: which student. */
  readonly seeds: Uint32Array;
  readonly seedCount: number;
}

/** The nodes of a level are the children of the level before; 0 is the root. */
const levelOf = { template: 2, task: 3, seed: 4, trial: 5 } as const;

function nodesAt({ starts, values }: Nest, level: number): number {
  return level === levelOf.trial ? values.length : (starts[level] as Uint32Array).length - 1;
}

interface Draw {
  readonly random: Random;
  /** How often each training seed was drawn. */
  readonly seeds: Uint32Array;
}

/** Mean of means of the nest, or of a resample of it. */
function meanOf(nest: Nest, random: Random | null): number {
  const draw = random === null ? null : { random, seeds: drawSeeds(nest.seedCount, random) };
  return meanBelow({ nest, draw }, 0, 0);
}

/** One fewer than there are: drawing n of n would make the spread of the mean too small by n - 1 of n. */
function drawSeeds(count: number, random: Random): Uint32Array {
  const drawn = new Uint32Array(count);
  if (count === 1) return drawn.fill(1);
  for (let place = 1; place < count; place++) {
    const seed = Math.floor(random.next() * count);
    drawn[seed] = (drawn[seed] as number) + 1;
  }
  return drawn;
}

/** A nest, and what was drawn of it for one repetition. */
interface Sample {
  readonly nest: Nest;
  readonly draw: Draw | null;
}

function meanBelow(sample: Sample, level: number, node: number): number {
  const { nest, draw } = sample;
  if (level === levelOf.trial) return nest.values[node] as number;
  const own = nest.starts[level] as Uint32Array;
  const start = own[node] as number;
  const end = own[node + 1] as number;
  const size = end - start;
  if (level === levelOf.seed) return trialMean(sample, start, end);
  if (size === 1) return meanBelow(sample, level + 1, start);
  if (level === levelOf.task && draw !== null) {
    const drawn = seedMean(sample, start, end);
    if (drawn !== null) return drawn;
  }
  let sum = 0;
  for (let place = start; place < end; place++) {
    const chosen = draw === null ? place : start + Math.floor(draw.random.next() * size);
    sum += meanBelow(sample, level + 1, chosen);
  }
  return sum / size;
}

/** The innermost loop: most of the time of a bootstrap is spent here. */
function trialMean({ nest: { values }, draw }: Sample, start: number, end: number): number {
  const size = end - start;
  if (size === 1) return values[start] as number;
  const random = draw?.random;
  let sum = 0;
  for (let place = start; place < end; place++)
    sum += values[random === undefined ? place : start + Math.floor(random.next() * size)] as number;
  return sum / size;
}

/** Mean of a task over the training seeds that were drawn; null when it has no trial of any of them. */
function seedMean(sample: Sample, start: number, end: number): number | null {
  const { nest, draw } = sample;
  let [sum, weight] = [0, 0];
  for (let node = start; node < end; node++) {
    const times = draw?.seeds[nest.seeds[node] as number] ?? 0;
    if (times === 0) continue;
    sum += times * meanBelow(sample, levelOf.seed, node);
    weight += times;
  }
  return weight === 0 ? null : sum / weight;
}

/** Sorted on every level, so that the order in which trials arrive does not matter. */
function flatten(values: readonly NestedValue[]): Nest {
  const names = [...new Set(values.map(({ seed = '' }) => seed))].toSorted();
  const apps = [...Map.groupBy(values, item => item.app)].toSorted(byName);
  const templates = apps.map(([, items]) => [...Map.groupBy(items, item => item.template)].toSorted(byName));
  const tasks = templates.flat().map(([, items]) => [...Map.groupBy(items, item => item.task)].toSorted(byName));
  const seeds = tasks.flat().map(([, items]) => [...Map.groupBy(items, ({ seed = '' }) => seed)].toSorted(byName));
  const trials = seeds.flat().map(([, items]) => items.map(item => item.value).toSorted((a, b) => a - b));
  return {
    starts: [apps.length, templates, tasks, seeds, trials].map(startsOf),
    values: Float64Array.from(trials.flat()),
    seeds: Uint32Array.from(seeds.flat(), ([name]) => names.indexOf(name)),
    seedCount: names.length,
  };
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
