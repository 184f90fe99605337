import type { Random } from '../../core/random.ts';
import { featureBits, type Features } from './features.ts';

/** One moment to learn from: the features of every choice, and which of them were right. */
export interface Example {
  readonly choices: readonly Features[];
  readonly right: readonly number[];
}

export interface FitOptions {
  readonly random: Random;
  readonly epochs?: number;
  readonly rate?: number;
  readonly decay?: number;
}

/** What is tied to words counts less than what holds in any app, so that it is learned only where that does not suffice. */
const wordShare = 0.3;

export function emptyWeights(): Float32Array {
  return new Float32Array(1 << featureBits);
}

export function scoresOf(weights: Float32Array, choices: readonly Features[]): Float64Array {
  const scores = new Float64Array(choices.length);
  for (const [index, { general, worded }] of choices.entries()) {
    scores[index] = sum(weights, general) + wordShare * sum(weights, worded);
  }
  return scores;
}

function sum(weights: Float32Array, features: Int32Array): number {
  let total = 0;
  for (let at = 0; at < features.length; at++) total += weights[features[at] as number] as number;
  return total;
}

/** Softmax of scores, in place. */
export function softmax(scores: Float64Array): Float64Array {
  let most = -Infinity;
  for (const score of scores) if (score > most) most = score;
  let total = 0;
  for (let at = 0; at < scores.length; at++) total += scores[at] = Math.exp((scores[at] as number) - most);
  for (let at = 0; at < scores.length; at++) scores[at] = (scores[at] as number) / total;
  return scores;
}

/** Fits a softmax over choices by stochastic gradients with a step size for each weight (Adagrad). */
export function fit(
  examples: readonly Example[],
  { random, epochs = 8, rate = 0.2, decay = 1e-3 }: FitOptions,
): Float32Array {
  const weights = emptyWeights();
  const squares = new Float32Array(weights.length);
  const sums = new Float32Array(weights.length);
  let taken = 0;
  for (let epoch = 0; epoch < epochs; epoch++) {
    for (const example of random.shuffle(examples)) learn(example, { weights, squares, rate, decay });
    // The mean of the later epochs is steadier than the last one.
    if (epoch < epochs / 2) continue;
    for (let at = 0; at < sums.length; at++) sums[at] = (sums[at] as number) + (weights[at] as number);
    taken++;
  }
  for (let at = 0; at < sums.length; at++) sums[at] = (sums[at] as number) / Math.max(1, taken);
  return sums;
}

interface Slopes {
  readonly weights: Float32Array;
  readonly squares: Float32Array;
  readonly rate: number;
  readonly decay: number;
}

/** Below this a choice has nothing to teach. */
const smallest = 1e-4;

function learn({ choices, right }: Example, slopes: Slopes): void {
  const chances = softmax(scoresOf(slopes.weights, choices));
  let rightMass = 0;
  for (const index of right) rightMass += chances[index] as number;
  for (const [index, { general, worded }] of choices.entries()) {
    const chance = chances[index] as number;
    const gradient = chance - (right.includes(index) ? chance / Math.max(rightMass, 1e-9) : 0);
    if (Math.abs(gradient) < smallest) continue;
    descend(general, gradient, slopes);
    descend(worded, gradient * wordShare, slopes);
  }
}

function descend(features: Int32Array, gradient: number, { weights, squares, rate, decay }: Slopes): void {
  for (let at = 0; at < features.length; at++) {
    const feature = features[at] as number;
    const weight = weights[feature] as number;
    const slope = gradient + decay * weight;
    const square = (squares[feature] as number) + slope * slope;
    squares[feature] = square;
    weights[feature] = weight - (rate * slope) / Math.sqrt(square + 1e-8);
  }
}
