/** Types of the comparison of two runs. */

/** Two runs on the tasks and trials that both have. */
export interface RunComparison {
  /** What was compared: evaluations where both runs have some. */
  readonly phase: 'collect' | 'evaluate';
  readonly pairs: number;
  /** Episodes without a partner in the other run. */
  readonly unpaired: number;
  readonly left: ComparedRun;
  readonly right: ComparedRun;
  /** Success of the first less the second, with its interval; null when they have nothing in common. */
  readonly difference: { readonly mean: number; readonly low: number; readonly high: number } | null;
  readonly templates: readonly {
    readonly template: string;
    readonly pairs: number;
    readonly left: number;
    readonly right: number;
  }[];
  readonly flips: readonly RunFlip[];
}

interface ComparedRun {
  readonly passed: number;
  readonly cost: number;
  readonly steps: number;
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
