import { createAllocation, type TaskTally } from './allocation.ts';
import type { Scheduler } from './scheduler.ts';
import { tQuantile } from './t-quantile.ts';

export interface ScheduleSizes {
  readonly first: number;
  readonly batch: number;
  readonly episodes: number;
}

/** How likely m trials of a task that passes with probability p differ: 1 − p^m − (1−p)^m. */
export function mixedProbability(p: number, m: number): number {
  return m === 0 ? 0 : 1 - p ** m - (1 - p) ** m;
}

/** By how much one more trial raises the chance that trials differ; what differs already comes last. Beta(1,1) before any trial. */
export function mixedGain({ trials, passed }: Pick<TaskTally, 'trials' | 'passed'>, given: number): number {
  const p = (passed + 1) / (trials + 2);
  const m = trials + given;
  if (trials === 0) return mixedProbability(p, m + 1) - mixedProbability(p, m);
  if (passed > 0 && passed < trials) return 1e-6 / (m + 1);
  const differs = passed === 0 ? p : 1 - p;
  return (1 - differs) ** given * differs;
}

/** TRACE: the next trial goes where it most likely makes the trials of a task differ. */
export function createTrace(sizes: ScheduleSizes): Scheduler {
  return createAllocation({
    ...sizes,
    name: 'trace',
    worth: (tallies, given) => tallies.map((tally, task) => mixedGain(tally, given[task] as number)),
  });
}

/** Half the width of the interval of a mean after n trials with this spread: t·s/√n. */
export function halfWidth(spread: number, n: number): number {
  return n < 2 ? Infinity : (tQuantile(n - 1) * spread) / Math.sqrt(n);
}

/** The sample standard deviation of so many passes in n trials. */
export function spreadOf(passed: number, n: number): number {
  return n < 2 ? 0 : Math.sqrt((passed * (1 - passed / n)) / (n - 1));
}

/** XRPO: by how much one more trial narrows the interval of a task, and more for what was tried little: λ·√(ln(1+T)/n). */
export function createXrpo({ explore, ...sizes }: ScheduleSizes & { readonly explore: number }): Scheduler {
  return createAllocation({
    ...sizes,
    first: Math.max(2, sizes.first),
    name: 'xrpo',
    worth: (tallies, given, rounds) =>
      tallies.map(({ trials, passed }, task) => {
        const n = trials + (given[task] as number);
        const spread = spreadOf(passed, trials);
        return halfWidth(spread, n) - halfWidth(spread, n + 1) + explore * Math.sqrt(Math.log(1 + rounds) / n);
      }),
  });
}

/** Trials that a task gets: 1 + ⌊(most − 1)·σ(H/H̄)·(1 − confidence)⌋. */
export function branchWidth({
  most,
  entropy,
  confidence,
}: {
  most: number;
  entropy: number;
  confidence: number;
}): number {
  const sigmoid = 1 / (1 + Math.exp(-entropy));
  return 1 + Math.floor((most - 1) * sigmoid * (1 - confidence));
}

/** ECHO-TTRL: more trials where the student is unsure and its trials disagree; nobody asks the verifier. */
export function createEchoTtrl({ most, ...sizes }: ScheduleSizes & { readonly most: number }): Scheduler {
  const meanOf = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  const entropies = ({ results }: TaskTally): number[] => results.flatMap(({ entropy }) => entropy ?? []);
  return {
    name: 'echo-ttrl',
    next(results, tasks) {
      const base = createAllocation({
        ...sizes,
        name: 'echo-ttrl',
        worth(tallies, given) {
          const usual = meanOf(tallies.flatMap(entropies)) || 1;
          return tallies.map((tally, task) => {
            const entropy = meanOf(entropies(tally)) / usual;
            const width = branchWidth({ most, entropy, confidence: agreementOf(tally) });
            return width - (tally.trials - sizes.first) - (given[task] as number);
          });
        },
      });
      return base.next(results, tasks);
    },
  };
}

/** The share of trials that end as most of them do. */
export function agreementOf({ results }: Pick<TaskTally, 'results'>): number {
  const counts = [...Map.groupBy(results, ({ ending }) => ending).values()].map(group => group.length);
  return counts.length === 0 ? 0 : Math.max(...counts) / results.length;
}

/** Every task as often, as a plan has it. */
export function createUniform(sizes: ScheduleSizes): Scheduler {
  return createAllocation({
    ...sizes,
    name: 'uniform',
    worth: (tallies, given) => tallies.map(({ trials }, task) => -(trials + (given[task] as number))),
  });
}
