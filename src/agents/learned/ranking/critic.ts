import { fitRanker, scoresOf, type FitOptions, type Ranker } from './ranker.ts';
import { type Features, featuresOfChoice } from '../features/sink.ts';

/** A state on the way to a passing finish, as the features of finishing in it. */
export interface ValuedState {
  readonly finish: Features;
  /** Steps from it to the end of the episode, the finish included. */
  readonly stepsLeft: number;
}

/** Each step away from the end, a state is worth so much of the next one. */
const discount = 0.85;

/** Learns how far states are from a passing finish. */
export function fitCritic(states: readonly ValuedState[], options: FitOptions): Ranker {
  return fitRanker(states, { epochs: 4, ...options }, ({ finish, stepsLeft }, learner) => {
    const scored = learner.scores(finish);
    const chance = sigmoid(scored.scores[0] as number);
    learner.descend(finish, scored, Float64Array.of(chance - discount ** stepsLeft));
  });
}

/** How many steps a state seems to be from a passing finish, as the features of its choices tell. */
export function stepsLeftIn(critic: Ranker, choices: Features, finish: number): number {
  const score = scoresOf(critic, featuresOfChoice(choices, finish))[0] as number;
  return Math.log(sigmoid(score)) / Math.log(discount);
}

function sigmoid(score: number): number {
  return 1 / (1 + Math.exp(-score));
}
