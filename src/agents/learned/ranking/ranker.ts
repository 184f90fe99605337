import type { Random } from '../../../core/random.ts';
import {
  addScores,
  blankNetwork,
  createTrainer,
  forward,
  randomNetwork,
  type Network,
  type Pass,
  type Trainer,
  type TrainerOptions,
} from './network.ts';
import { featureBits, type Features, type Places } from '../features/sink.ts';

/** One moment to learn from: the features of every choice, and which of them were right. */
export interface Example {
  readonly choices: Features;
  readonly right: readonly number[];
  /** Scores that another model gives the choices: what is learned is added to them. */
  readonly given?: Float64Array;
}

export interface FitOptions {
  readonly random: Random;
  readonly epochs?: number;
  readonly rate?: number;
  readonly decay?: number;
}

/** What is tied to words counts less than what holds in any app, so that it is learned only where that does not suffice. */
export const wordShare = 0.3;

/** What a ranker has learned: a weight for each feature, and a network over the facts. */
export interface Ranker {
  readonly weights: Float32Array;
  readonly network: Network;
}

export function blankRanker(): Ranker {
  return { weights: new Float32Array(1 << featureBits), network: blankNetwork() };
}

export function scoresOf(ranker: Ranker, features: Features): Float64Array {
  const scores = linearScores(ranker.weights, features);
  addScores(ranker.network, features.facts, scores);
  return scores;
}

/** The scores of all choices, and what the network needs for the way back. */
export function scoredBy({ weights, network }: Ranker, features: Features): Scored {
  const scores = linearScores(weights, features);
  return { scores, pass: forward(network, features.facts, scores) };
}

function linearScores(weights: Float32Array, { general, worded }: Features): Float64Array {
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

export function addTo(scores: Float64Array, others: Float64Array): Float64Array {
  for (let at = 0; at < scores.length; at++) scores[at] = (scores[at] as number) + (others[at] as number);
  return scores;
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
  let most = -Infinity;
  for (const score of scores) most = Math.max(most, score);
  let total = 0;
  for (const score of scores) total += Math.exp(score - most);
  const logTotal = Math.log(total);
  return scores.map(score => score - most - logTotal);
}

/** Entropy of a distribution given as logarithms, in nats. */
export function entropyOf(logprobs: Float64Array): number {
  let total = 0;
  for (const logprob of logprobs) total -= Math.exp(logprob) * logprob;
  // Sums of tiny numbers may fall below 0.
  return Math.max(0, total);
}

/** The logarithm of the sum of what two logarithms stand for. */
export function logSum(left: number, right: number): number {
  const most = Math.max(left, right);
  return most + Math.log(Math.exp(left - most) + Math.exp(right - most));
}

/** A ranker that is being trained. */
export interface Learner {
  scores(features: Features): Scored;
  /** Steps down the gradients of the scores. */
  descend(features: Features, scored: Scored, gradients: Float64Array): void;
}

export interface Scored {
  readonly scores: Float64Array;
  readonly pass: Pass;
}

/** Trains a ranker by stochastic gradients with a step size for each weight (Adagrad). */
export function fitRanker<E>(
  examples: readonly E[],
  { random, epochs = 8, rate = 0.1, decay = 1e-3 }: FitOptions,
  learn: (example: E, learner: Learner) => void,
): Ranker {
  if (examples.length === 0) return blankRanker();
  const { weights } = blankRanker();
  const network = randomNetwork(random.fork('network'));
  const trainer = createTrainer(network, { rate: networkRate, decay: networkDecay });
  const learner = createLearner({ weights, network }, trainer, { rate, decay });
  const mean = blankRanker();
  let taken = 0;
  for (let epoch = 0; epoch < epochs; epoch++) {
    for (const example of random.shuffle(examples)) learn(example, learner);
    // The mean of the later epochs is steadier than the last one.
    if (epoch < epochs / 2) continue;
    taken++;
    for (const [sums, values] of layersOf(mean, { weights, network })) moveTowards(sums, values, 1 / taken);
  }
  trainer.clearUntouched(mean.network);
  return mean;
}

/** Fits a softmax over the choices of each example. */
export function fit(examples: readonly Example[], options: FitOptions): Ranker {
  return fitRanker(examples, options, ({ choices, right, given }, learner) => {
    const scored = learner.scores(choices);
    if (given !== undefined) addTo(scored.scores, given);
    const gradients = softmax(scored.scores);
    let rightMass = 0;
    for (const index of right) rightMass += gradients[index] as number;
    for (const index of right) {
      const chance = gradients[index] as number;
      gradients[index] = chance - chance / Math.max(rightMass, 1e-9);
    }
    learner.descend(choices, scored, gradients);
  });
}

function createLearner({ weights, network }: Ranker, trainer: Trainer, { rate, decay }: TrainerOptions): Learner {
  const squares = new Float32Array(weights.length);
  const slopes = { weights, squares, rate, decay };
  return {
    scores: features => scoredBy({ weights, network }, features),
    descend(features, { pass }, gradients) {
      trainer.step(features.facts, pass, gradients);
      descend(features.general, gradients, { ...slopes, share: 1 });
      descend(features.worded, gradients, { ...slopes, share: wordShare });
    },
  };
}

/** Slower, students pass less in apps they never saw; faster, training on many kinds of apps becomes unsteady. */
const networkRate = 0.02;
const networkDecay = 1e-5;

function layersOf(left: Ranker, right: Ranker): [Float32Array, Float32Array][] {
  return [
    [left.weights, right.weights],
    [left.network.first, right.network.first],
    [left.network.second, right.network.second],
    [left.network.last, right.network.last],
  ];
}

function moveTowards(values: Float32Array, target: Float32Array, share: number): void {
  for (let at = 0; at < values.length; at++) {
    const value = values[at] as number;
    values[at] = value + share * ((target[at] as number) - value);
  }
}

interface Slopes {
  readonly weights: Float32Array;
  readonly squares: Float32Array;
  readonly rate: number;
  readonly decay: number;
}

/** Below this a choice has nothing to teach. */
const smallest = 1e-4;

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
