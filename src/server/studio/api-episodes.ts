/** Types of the table of episodes beyond its rows: groups of failures, saved views, advantages. */

/** Failures by cause, as the report has them. */
export interface FailureGroups {
  readonly groups: readonly FailureGroup[];
  /** Failures that were read, and those there are. */
  readonly read: number;
  readonly failures: number;
}

export interface FailureGroup {
  /** `unseen-value`. */
  readonly cause: string;
  readonly count: number;
  readonly of: number;
  readonly example: { readonly episode: number; readonly reason: string };
  readonly advice: string;
}

/** A filter of the table of episodes with a name. */
export interface SavedView {
  readonly name: string;
  readonly query: Readonly<Record<string, string>>;
}

/** What estimators say a step was worth. */
export interface StepAdvantages {
  /** Episodes of the group that were compared. */
  readonly episodes: number;
  readonly advantages: readonly {
    readonly estimator: string;
    /** Null where the group has no advantages. */
    readonly advantage: number | null;
    /** Whether the step counts in the loss. */
    readonly isCounted: boolean;
    /** Why there is none; null when there is one. */
    readonly why: string | null;
  }[];
}

/** A label of a signal, with the number of episodes that have it. */
export interface SignalCount {
  readonly signal: string;
  readonly label: string;
  readonly episodes: number;
}
