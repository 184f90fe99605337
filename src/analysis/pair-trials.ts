import type { Trial } from './evaluate.ts';

/** The same trial of the same task, by both. */
export interface Pair {
  readonly app: string;
  readonly template: string;
  readonly task: string;
  readonly trial: number;
  /** The seed that the student was trained with. */
  readonly seed: string;
  readonly release: boolean;
  readonly candidate: boolean;
}

export interface Pairs {
  readonly pairs: readonly Pair[];
  /** Trials without a verdict of both: one side errored, or was not certified. */
  readonly unpaired: number;
}

export function pairTrials(candidate: readonly Trial[], release: readonly Trial[]): Pairs {
  const nameOf = ({ task, trial, seed }: Trial): string => JSON.stringify([task, trial, seed]);
  const others = new Map(release.map(trial => [nameOf(trial), trial.passed]));
  const pairs = candidate.flatMap(own => {
    const { app, template, task, trial, seed, passed } = own;
    const other = others.get(nameOf(own)) ?? null;
    if (passed === null || other === null) return [];
    return [{ app, template, task, trial, seed, release: other, candidate: passed }];
  });
  const all = new Set([...candidate, ...release].map(nameOf));
  return { pairs, unpaired: all.size - pairs.length };
}
