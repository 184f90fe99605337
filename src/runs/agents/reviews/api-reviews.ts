import type { Action } from '../../../core/action.ts';

/** Types of the review queue: branches that wait for people, and what they answered. */

interface AskedQuestion {
  /** Names it in its run. */
  readonly id: string;
  readonly run: string;
  /** Key of the episode. */
  readonly episode: string;
  readonly instruction: string;
  /** Steps before, one line each. */
  readonly history: readonly string[];
  readonly screen: string;
  /** Who has answered, the first one first. */
  readonly answeredBy: readonly string[];
  /** People who have to answer before the run goes on. */
  readonly opinions: number;
}

/** A branch that waits for a review, or a state that waits for the right step. */
export type WaitingQuestion = AskedQuestion &
  (
    | {
        readonly kind: 'review';
        readonly steps: readonly ReviewedStep[];
        /** What the verifier says of a finish; null when there is none. */
        readonly passes: boolean | null;
      }
    | { readonly kind: 'correct'; readonly reason: string; readonly rejected: string | null }
  );

interface ReviewedStep {
  readonly text: string;
  readonly thought: string | null;
  readonly applied: boolean;
  readonly screen: string;
}

/** `at` is the place of the first wrong step, from 0. An action of null says that there is no way from here. */
export type GivenAnswer =
  | { readonly kind: 'review'; readonly accept: true }
  | { readonly kind: 'review'; readonly accept: false; readonly at: number; readonly reason: string }
  | { readonly kind: 'correct'; readonly action: Action | null };

/** What became of an answer. */
export interface TakenAnswer {
  /** Who answered before; the answer counts as a further opinion then. */
  readonly before: readonly string[];
  /** Whether it says the same as the first one; null for the first one. */
  readonly agrees: boolean | null;
  /** The run had what it needed before: the answer only counts for the agreement. */
  readonly isLate: boolean;
}

/** How far people agree on the branches that several of them reviewed. */
export interface Agreement {
  /** Questions with two opinions or more. */
  readonly questions: number;
  /** Share of pairs of opinions that are the same. */
  readonly observed: number | null;
  /** Krippendorff's alpha for names: 1 is full agreement, 0 is chance. Null where everybody said the same of everything. */
  readonly alpha: number | null;
  readonly pairs: readonly {
    readonly people: readonly [string, string];
    readonly questions: number;
    /** Cohen's kappa. */
    readonly kappa: number | null;
  }[];
}

export interface ReviewList {
  readonly questions: readonly WaitingQuestion[];
  readonly agreement: Agreement;
  /** Files of questions or answers that cannot be read, one line each. */
  readonly problems: readonly string[];
}

export interface StudioReviews {
  /** Questions of all runs that still wait, the oldest first, then those that a second opinion would help. */
  list(): ReviewList;
  answer(
    place: { readonly run: string; readonly id: string; readonly person: string },
    answer: GivenAnswer,
  ): TakenAnswer;
}
