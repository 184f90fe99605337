import { bootstrap, type NestedMean } from './bootstrap.ts';
import { pairTrials } from './pair-trials.ts';
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

function compareTrials(first: readonly Trial[], second: readonly Trial[], options: EvaluateOptions): Comparison | null {
  const { pairs, unpaired } = pairTrials(first, second);
  if (pairs.length === 0) return null;
  const values = pairs.map(({ app, template, task, seed, candidate, release }) => ({
    app,
    template,
    task,
    seed,
    value: Number(candidate) - Number(release),
  }));
  const balances = [...Map.groupBy(values, value => value.task).values()].map(own =>
    Math.sign(own.reduce((sum, { value }) => sum + value, 0)),
  );
  return {
    difference: bootstrap(values, { ...options, range: { low: -1, high: 1 } }),
    pairs: pairs.length,
    unpaired,
    wins: balances.filter(balance => balance > 0).length,
    losses: balances.filter(balance => balance < 0).length,
    ties: balances.filter(balance => balance === 0).length,
    flips: pairs
      .filter(({ candidate, release }) => candidate !== release)
      .map(({ task, trial, candidate }) => ({ task, trial, change: candidate ? 'fail-to-pass' : 'pass-to-fail' })),
  };
}

function ofLevel({ trials }: Evaluation, level: TrialLevel): readonly Trial[] {
  return trials.filter(trial => trial.level === level);
}
