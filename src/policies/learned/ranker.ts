import type { Random } from '../../core/random.ts';
import { featureBits, type Features, type Places } from './sink.ts';

/** One moment to learn from: the features of every choice, and which of them were right. */
export interface Example {
  readonly choices: Features;
  readonly right: readonly number[];
}

interface FitOptions {
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

export function scoresOf(weights: Float32Array, { general, worded }: Features): Float64Array {
  const scores = new Float64Array(general.ends.length);
  addSums(scores, general, { weights, share: 1 });
  addSums(scores, worded, { weights, share: wordShare });
  return scores;
}

function addSums(
  scores: Float64Array,
  { places, ends }: Places,
  { weights, share }: { readonly weights: Float32Array; readonly share: number },
): void {
  let at = 0;
  for (let choice = 0; choice < ends.length; choice++) {
    let total = 0;
    for (const end = ends[choice] as number; at < end; at++) total += weights[places[at] as number] as number;
    scores[choice] = (scores[choice] as number) + share * total;
  }
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

/** Logarithms of the softmax of scores: exact also where the softmax itself is too small for a number. */
export function logSoftmax(scores: Float64Array): Float64Array {
  const most = scores.reduce((left, right) => Math.max(left, right), -Infinity);
  const total = scores.reduce((sum, score) => sum + Math.exp(score - most), 0);
  return scores.map(score => score - most - Math.log(total));
}

/** The logarithm of the sum of what two logarithms stand for. */
export function logSum(left: number, right: number): number {
  const most = Math.max(left, right);
  return most + Math.log(Math.exp(left - most) + Math.exp(right - most));
}

/** Fits a softmax over choices by stochastic gradients with a step size for each weight (Adagrad). */
export function fit(
  examples: readonly Example[],
  { random, epochs = 8, rate = 0.1, decay = 1e-3 }: FitOptions,
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
  const gradients = softmax(scoresOf(slopes.weights, choices));
  let rightMass = 0;
  for (const index of right) rightMass += gradients[index] as number;
  for (const index of right) {
    const chance = gradients[index] as number;
    gradients[index] = chance - chance / Math.max(rightMass, 1e-9);
  }
  descend(choices.general, gradients, { ...slopes, share: 1 });
  descend(choices.worded, gradients, { ...slopes, share: wordShare });
}

function descend(
  { places, ends }: Places,
  gradients: Float64Array,
  { weights, squares, rate, decay, share }: Slopes & { readonly share: number },
): void {
  for (let choice = 0, start = 0; choice < ends.length; choice++) {
    const end = ends[choice] as number;
    const gradient = gradients[choice] as number;
    if (Math.abs(gradient) >= smallest) {
      for (let at = start; at < end; at++) {
        const place = places[at] as number;
        const weight = weights[place] as number;
        const slope = share * gradient + decay * weight;
        const square = (squares[place] as number) + slope * slope;
        squares[place] = square;
        weights[place] = weight - (rate * slope) / Math.sqrt(square + 1e-8);
      }
    }
    start = end;
  }
}
