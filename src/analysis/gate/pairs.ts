import type { Pair } from '../pair-trials.ts';
import type { Unit } from './decide.ts';

export function unitOf(name: string, pairs: readonly Pair[]): Unit {
  return {
    name,
    pairs: pairs.length,
    fixes: pairs.filter(({ release, candidate }) => candidate && !release).length,
    regressions: pairs.filter(({ release, candidate }) => release && !candidate).length,
  };
}

/** What became of a task: by majority where it has several trials, and a tie has not passed. */
type Change = 'fix' | 'regression' | 'passed in both' | 'failed in both';

export interface TaskChange {
  readonly app: string;
  readonly template: string;
  readonly task: string;
  readonly change: Change;
  /** Passed trials, of as many. */
  readonly release: number;
  readonly candidate: number;
  readonly trials: number;
}

export function taskChanges(pairs: readonly Pair[]): readonly TaskChange[] {
  return [...Map.groupBy(pairs, ({ task }) => task)].map(([task, own]) => {
    const [{ app, template }] = own as [Pair];
    const [release, candidate] = [own.filter(pair => pair.release), own.filter(pair => pair.candidate)].map(
      passed => passed.length,
    ) as [number, number];
    const trials = own.length;
    const change = changeOf(2 * release > trials, 2 * candidate > trials);
    return { app, template, task, change, release, candidate, trials };
  });
}

function changeOf(before: boolean, after: boolean): Change {
  if (before === after) return before ? 'passed in both' : 'failed in both';
  return after ? 'fix' : 'regression';
}
