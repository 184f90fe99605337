import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { PoolOptions } from '../src/envs/web/browser/pool.ts';

export interface Figure {
  readonly name: string;
  /** The median of the runs. */
  readonly value: number;
  readonly unit: '1/s' | 'µs' | 'ms' | 's' | 'KiB' | 'MiB' | 'MB' | 'count' | 'share' | 'ratio';
  /** From the smallest run to the largest. */
  readonly spread: number;
  readonly runs: number;
  /** Why a share is not whole, the most frequent first. */
  readonly reasons?: readonly Reason[];
}

export interface Reason {
  readonly reason: string;
  readonly count: number;
}

/** One file of figures. `run` measures all of them in one go, so that they can be compared. */
export interface Bench {
  readonly group: string;
  /** Measured only when it is asked for by name: it takes its time, and more than this program. */
  readonly onDemand?: true;
  /** Whether it opens pages. */
  readonly usesBrowser?: true;
  readonly figures: readonly string[];
  run(options: BenchOptions, news: BenchNews): AsyncIterable<Figure>;
}

/** What a bench says beside its figures. */
export interface BenchNews {
  /** What is going on, while it does. */
  progress(text: string): void;
  line(text: string): void;
  /** No other bench is begun. */
  stop?(): void;
}

/** Other people's apps to measure on; what needs one is left out without it. */
export interface BenchOptions {
  readonly wai?: readonly string[] | undefined;
  readonly miniwob?: string | undefined;
  readonly browser: BenchBrowser;
  /** Rollbacks that are checked for wrong states. */
  readonly rollbacks: number;
  readonly certify: CertifyOptions;
  /** Folder that generated pages which came out wrong are written to. */
  readonly keep?: string | undefined;
}

/** The browser program to measure with; the first in the usual places when none is named. */
export type BenchBrowser = Pick<PoolOptions, 'path' | 'sandbox'>;

/** Which pages are generated. */
interface CertifyOptions {
  readonly pages: number;
  readonly seed: string;
  /** Counts instead of the pages; null when those count. */
  readonly minutes: number | null;
  /** Only these; all when there are none. */
  readonly features: readonly string[];
}

const runs = 9;
const millisecondsPerRun = 200;

export function figure(name: string, unit: Figure['unit'], values: readonly number[]): Figure {
  const sorted = values.toSorted((left, right) => left - right);
  const value = quantile(sorted, 0.5);
  return { name, value, unit, spread: (sorted.at(-1) as number) - (sorted[0] as number), runs: values.length };
}

export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] as number;
}

/** Seconds that one call takes, once for each run; `work` is called with a running number. */
export function timings(work: (round: number) => void): number[] {
  let round = 0;
  const timed = (milliseconds: number): number => {
    const start = performance.now();
    let calls = 0;
    let now = start;
    while (now - start < milliseconds) {
      for (let index = 0; index < 50; index++) work(round++);
      calls += 50;
      now = performance.now();
    }
    return (now - start) / 1000 / calls;
  };
  timed(millisecondsPerRun * 3);
  return Array.from({ length: runs }, () => timed(millisecondsPerRun));
}

/** Milliseconds that one asynchronous call takes, once for each run. */
export async function asyncTimings(work: () => Promise<unknown>): Promise<number[]> {
  const values: number[] = [];
  for (let run = -3; run < runs; run++) {
    const start = performance.now();
    let calls = 0;
    while (performance.now() - start < millisecondsPerRun / 4) {
      await work();
      calls++;
    }
    if (run >= 0) values.push((performance.now() - start) / calls);
  }
  return values;
}

/** MiB in use after a full collection. */
export function heapInUse(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
  return process.memoryUsage().heapUsed / 2 ** 20;
}
