import type { TrialLevel } from '../../analysis/evaluate.ts';

/** Types of the comparison of two runs. */

/** Two runs on the tasks and trials that both have. */
export interface RunComparison {
  /** What was compared: evaluations where both runs have some. */
  readonly phase: 'collect' | 'evaluate';
  readonly pairs: number;
  /** Episodes without a partner in the other run. */
  readonly unpaired: number;
  /** Episodes of each run that broke: they are in no pair. */
  readonly errored: { readonly left: number; readonly right: number };
  readonly left: ComparedRun;
  readonly right: ComparedRun;
  /** Over all pairs; null when they have nothing in common. */
  readonly difference: RunDifference | null;
  /** Of evaluations, level by level. */
  readonly levels: readonly {
    readonly level: TrialLevel;
    readonly pairs: number;
    readonly left: number;
    readonly right: number;
    readonly difference: RunDifference;
  }[];
  readonly templates: readonly {
    readonly template: string;
    readonly pairs: number;
    readonly left: number;
    readonly right: number;
  }[];
  readonly flips: readonly RunFlip[];
}

/** Success of the first run less the second, with its interval. */
export interface RunDifference {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

interface ComparedRun {
  readonly passed: number;
  readonly cost: number;
  readonly steps: number;
  /** What a teacher was asked: reviews and corrections. */
  readonly queries: number;
  readonly corrections: number;
}

/** A trial that only one of two runs passed. */
export interface RunFlip {
  readonly task: string;
  /** The episodes. */
  readonly left: number;
  readonly right: number;
  /** The first run passed it. */
  readonly isGain: boolean;
}
