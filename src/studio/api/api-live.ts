import type { Outcome } from '../../core/episode/events.ts';
import type { TrialLevel } from '../../analysis/evaluate.ts';
import type { RateView } from './api-learning.ts';

/** Types of what is told of a run on its card, also while it is written. */

export type OutcomeCounts = Readonly<Record<Outcome, number>>;

/** Episodes that are counted together. */
export interface GroupFigures {
  readonly outcomes: OutcomeCounts;
  /** Passed of those that did not break; null when all broke. */
  readonly success: RateView | null;
  /** Steps taken, rolled-back ones included. */
  readonly taken: number;
  readonly tokens: number;
  readonly cost: number;
  /** What a teacher was asked: reviews and corrections. */
  readonly queries: number;
  readonly corrections: number;
}

/** Evaluation episodes of one student. Levels are never mixed: there is no success of all of them. */
export interface EvaluatedFigures extends Omit<GroupFigures, 'success'> {
  readonly student: string;
  readonly round: number;
  /** Those that were run, the nearest to training first. */
  readonly levels: readonly LevelFigures[];
}

/** Success as the report estimates it: every app, template and task weighs alike. */
export interface LevelFigures extends GroupFigures {
  readonly level: TrialLevel;
}

/** Episodes that are in neither of the two rates. */
export interface BesideCounts {
  /** Evaluations of students other than the latest. */
  readonly earlier: number;
  readonly baselines: number;
  /** Kept by people. */
  readonly people: number;
}

/** How far a run is with the episodes it has planned. */
export interface RunProgress {
  readonly phase: 'collect' | 'evaluate';
  readonly round: number;
  readonly planned: number;
  readonly done: number;
  /** At the pace since its start; null before its first episode has ended. */
  readonly secondsLeft: number | null;
}

/** What came in each second, lately. */
export interface RunRates {
  readonly episodes: number;
  readonly steps: number;
  /** US dollars. */
  readonly cost: number;
}
