import type { Json } from '../../core/json.ts';

/** Types of the table of episodes beyond its rows: groups of failures, saved views, advantages. */

/** Failures by cause, as the report has them. */
export interface FailureGroups {
  readonly groups: readonly FailureGroup[];
  /** Failures that were read, and those there are. */
  readonly read: number;
  readonly failures: number;
}

export interface NamedCount {
  readonly name: string;
  readonly count: number;
}

interface FailureGroup {
  /** `wrong-value`, or `discarded: deadline`. */
  readonly cause: string;
  readonly count: number;
  readonly of: number;
  readonly checks: readonly NamedCount[];
  readonly templates: readonly NamedCount[];
  readonly example: {
    readonly episode: number;
    readonly task: string;
    /** Checks that did not hold, and what the screen at the end says instead. */
    readonly wanted: readonly string[];
    readonly shown: readonly string[];
    readonly reason: string;
  };
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

/** The steps of a large tree, numbered from 1 in the order they were taken; their texts are asked for as they come into view. */
export interface StepColumns {
  /** How far back in the order the parent of each step is; as far as its own number for the start. */
  readonly back: readonly number[];
  /** A letter for each step: s, t or h for student, teacher or human. */
  readonly roles: string;
  /** A letter for each step: k, c or r for kept, correction or rolled back. */
  readonly statuses: string;
  readonly marks: readonly StepColumnMark[];
}

/** Of the few steps that something was said of. */
interface StepColumnMark {
  readonly id: number;
  readonly rejection: string | null;
  readonly replaces: number | null;
  readonly verdict: boolean | null;
}

/** The rows that an episode gives when it is exported. */
export interface RowsPreview {
  /** Every table that an export can write of this episode. */
  readonly tables: readonly TablePreview[];
  /** Of the tables that were asked for. */
  readonly rows: readonly RowPreview[];
}

export interface TablePreview {
  readonly name: string;
  readonly about: string;
  readonly rows: number;
  /** There are more rows than are shown. */
  readonly hasMore: boolean;
  /** Written unless others are named. */
  readonly isUsual: boolean;
}

export interface RowPreview {
  readonly table: string;
  readonly row: Readonly<Record<string, Json>>;
}

/** The rows of tokens that an export with `--tokens` writes of an episode. */
export interface TokenPreview {
  readonly segments: readonly TokenSegmentPreview[];
  /** Calls of the student that are in no row, by why. */
  readonly left: readonly { readonly why: string; readonly calls: number }[];
}

/** Tokens that one policy saw and sampled in one go. */
export interface TokenSegmentPreview {
  /** The end of the branch it led to. */
  readonly leaf: number;
  readonly tokens: readonly TokenView[];
  /** All of them; `tokens` may be cut. */
  readonly length: number;
  readonly learned: number;
}

export interface TokenView {
  readonly id: number;
  /** Only what the student sampled is learned; the rest is masked. */
  readonly kind: 'prompt' | 'learned' | 'observation' | 'other';
  readonly logprob: number | null;
}
