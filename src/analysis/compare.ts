import { bootstrap, type NestedMean } from './bootstrap.ts';
import type { EvaluateOptions, Evaluation, Trial, TrialLevel } from './evaluate.ts';

/** A trial that one side passed and the other did not. */
interface Flip {
  readonly task: string;
  readonly trial: number;
  readonly change: 'fail-to-pass' | 'pass-to-fail';
}

/** One policy against another on the same tasks. */
export interface Comparison {
  /** Success of the first less that of the second, over the pairs; by bootstrap with the same indices for both. */
  readonly difference: NestedMean;
  readonly pairs: number;
  /** Trials that only one side made, or that errored on one side: in no figure here. */
  readonly unpaired: number;
  /** Tasks on which the first passed more often, less often, as often. */
  readonly wins: number;
  readonly losses: number;
  readonly ties: number;
  /** What changes when the first takes the place of the second. */
  readonly flips: readonly Flip[];
}

export interface ComparisonByLevel {
  readonly newInstances: Comparison | null;
  readonly heldOut: Comparison | null;
  readonly heldOut2: Comparison | null;
  readonly heldOut3: Comparison | null;
  readonly unseenApps: Comparison | null;
}

interface Pair {
  readonly trial: Trial;
  readonly first: boolean;
  readonly second: boolean;
}

/** Paired difference of two evaluations, by task, trial and training seed; null on a level where they have no trial in common. */
export function compare(first: Evaluation, second: Evaluation, options: EvaluateOptions): ComparisonByLevel {
  const level = (name: TrialLevel): Comparison | null =>
    compareTrials(ofLevel(first, name), ofLevel(second, name), { ...options, random: options.random.fork(name) });
  return {
    newInstances: level('new-instances'),
    heldOut: level('held-out'),
    heldOut2: level('held-out-2'),
    heldOut3: level('held-out-3'),
    unseenApps: level('unseen-app'),
  };
}

function compareTrials(
  first: ReadonlyMap<string, Trial>,
  second: ReadonlyMap<string, Trial>,
  options: EvaluateOptions,
): Comparison | null {
  const pairs: Pair[] = [];
  for (const [name, trial] of first) {
    const passed = second.get(name)?.passed ?? null;
    if (trial.passed !== null && passed !== null) pairs.push({ trial, first: trial.passed, second: passed });
  }
  if (pairs.length === 0) return null;
  const values = pairs.map(({ trial: { app, template, task, seed }, ...pair }) => ({
    app,
    template,
    task,
    seed,
    value: gain(pair),
  }));
  const balances = [...Map.groupBy(values, value => value.task).values()].map(own =>
    Math.sign(own.reduce((sum, { value }) => sum + value, 0)),
  );
  return {
    difference: bootstrap(values, { ...options, range: { low: -1, high: 1 } }),
    pairs: pairs.length,
    unpaired: new Set([...first.keys(), ...second.keys()]).size - pairs.length,
    wins: balances.filter(balance => balance > 0).length,
    losses: balances.filter(balance => balance < 0).length,
    ties: balances.filter(balance => balance === 0).length,
    flips: pairs
      .filter(pair => pair.first !== pair.second)
      .map(pair => ({
        task: pair.trial.task,
        trial: pair.trial.trial,
        change: pair.first ? 'fail-to-pass' : 'pass-to-fail',
      })),
  };
}

function gain({ first, second }: Omit<Pair, 'trial'>): number {
  return Number(first) - Number(second);
}

function ofLevel({ trials }: Evaluation, level: TrialLevel): Map<string, Trial> {
  return new Map(
    trials
      .filter(trial => trial.level === level)
      .map(trial => [JSON.stringify([trial.task, trial.trial, trial.seed]), trial]),
  );
}
