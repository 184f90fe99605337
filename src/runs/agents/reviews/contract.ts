import type { Timers } from '../../../core/clock.ts';
import type { GivenAnswer, WaitingQuestion } from './api-reviews.ts';

/** A question without what only the studio knows of it. */
export type AskedQuestion = WaitingQuestion extends infer Q
  ? Q extends WaitingQuestion
    ? Omit<Q, 'id' | 'run' | 'answeredBy'>
    : never
  : never;

export interface GivenOpinion {
  readonly person: string;
  readonly answer: GivenAnswer;
}

/**
 * Questions of a run for people, as files in its folder: the run that asks and the studio that shows them are two programs.
 * A question is named after its content. A run that is started again asks the same question and finds the answers it has.
 */
export interface ReviewQueue {
  /** Puts a question there, unless it is there. Gives its id. */
  ask(question: AskedQuestion): string;
  /** Ids of the questions that can be read, the oldest first. Other files in the folder are left alone. */
  ids(): readonly string[];
  /** Why files of questions or answers cannot be read, one line each. */
  problems(): readonly string[];
  question(id: string): AskedQuestion;
  /** In the order they were given, one of each person: spellings of one name are one person. */
  opinions(id: string): readonly GivenOpinion[];
  /** Adds an opinion; a person who has one already is refused. */
  answer(id: string, opinion: GivenOpinion): void;
  /** Removes questions that nobody has answered: the run asks again what it still needs. */
  clear(): void;
}

/** Where a run asks people at the studio, and how it waits for them. */
export interface ReviewWaiting {
  readonly queue: ReviewQueue;
  readonly timers: Timers;
  /** Ends the waiting: the run lets go of its questions. */
  readonly signal: AbortSignal;
}
