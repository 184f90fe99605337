import { blankRanker, type Ranker } from './ranking/ranker.ts';

/** What a student knows: how to rank actions, and how far states are from the end. */
export interface Weights {
  readonly policy: Ranker;
  readonly critic: Ranker;
}

/** A student that has learned nothing: it takes any action that the screen offers. */
export function untrainedWeights(): Weights {
  return { policy: blankRanker(), critic: blankRanker() };
}
