import { solve } from '../../src/core/linear-system.ts';
import { softmax } from '../../src/agents/learned/ranking/ranker.ts';
import {
  featureNames,
  handWeights,
  type FeatureValues,
  type FeatureWeights,
} from '../../src/agents/page-search/words/feature-weights.ts';

/** A state of a solved task: the features of everything that could be done, and which of it was right. */
export interface WeighedStep {
  readonly actions: readonly FeatureValues[];
  /** Its place among the actions; -1 when it is none of them, which teaches nothing. */
  readonly right: number;
}

/** Variance that weights are expected to have around those set by hand: the wider, the more steps decide. */
const variance = 0.1;
const mostIterations = 30;
const smallestGain = 1e-6;

/**
 * A conditional logit: the weights under which the right steps are likeliest, pulled towards those set by hand. Newton's
 * method from there, so that the same steps give the same weights, and no steps those set by hand.
 */
export function fitWeights(steps: readonly WeighedStep[]): FeatureWeights {
  const start = featureNames.map(name => handWeights[name] as number);
  const rows = steps.filter(({ right }) => right >= 0).map(readRows);
  let weights = Float64Array.from(start);
  let loss = lossOf(rows, weights, start);
  for (let iteration = 0; iteration < mostIterations; iteration++) {
    const step = newtonStep(rows, weights, start);
    let [size, next, found] = [1, weights, loss];
    // Half of a step that leads too far.
    do {
      next = weights.map((weight, at) => weight - size * (step[at] as number));
      found = lossOf(rows, next, start);
      size /= 2;
    } while (found > loss && size > 1e-3);
    if (loss - found < smallestGain) break;
    [weights, loss] = [next, found];
  }
  return Object.fromEntries(featureNames.map((name, at) => [name, weights[at] as number])) as FeatureWeights;
}

/** The features of a step as numbers of features and values. */
interface Rows {
  readonly right: number;
  readonly places: readonly Int32Array[];
  readonly values: readonly Float64Array[];
}

const placeOf: ReadonlyMap<string, number> = new Map(featureNames.map((name, at) => [name, at]));

function readRows({ actions, right }: WeighedStep): Rows {
  const entries = actions.map(one => Object.entries(one) as [string, number][]);
  return {
    right,
    places: entries.map(own => Int32Array.from(own, ([name]) => placeOf.get(name) as number)),
    values: entries.map(own => Float64Array.from(own, ([, value]) => value)),
  };
}

function scoresIn({ places, values }: Rows, weights: Float64Array): Float64Array {
  return Float64Array.from(places, (own, action) => {
    const value = values[action] as Float64Array;
    let score = 0;
    for (let at = 0; at < own.length; at++) score += (value[at] as number) * (weights[own[at] as number] as number);
    return score;
  });
}

function lossOf(rows: readonly Rows[], weights: Float64Array, start: readonly number[]): number {
  let loss = 0;
  for (const row of rows) loss -= Math.log(Math.max(1e-300, softmax(scoresIn(row, weights))[row.right] as number));
  for (const [at, weight] of weights.entries()) loss += (weight - (start[at] as number)) ** 2 / (2 * variance);
  return loss;
}

/** Below this an action adds nothing that counts to the curvature. */
const smallest = 1e-5;

function newtonStep(rows: readonly Rows[], weights: Float64Array, start: readonly number[]): Float64Array {
  const size = weights.length;
  const gradient = weights.map((weight, at) => (weight - (start[at] as number)) / variance);
  const curvature = Array.from({ length: size }, (_, at) => {
    const row = new Float64Array(size);
    row[at] = 1 / variance;
    return row;
  });
  const mean = new Float64Array(size);
  for (const row of rows) {
    const chances = softmax(scoresIn(row, weights));
    mean.fill(0);
    addTo(mean, row, action => chances[action] as number);
    for (let at = 0; at < size; at++) gradient[at] = (gradient[at] as number) + (mean[at] as number);
    addTo(gradient, row, action => (action === row.right ? -1 : 0));
    addCurvature(curvature, row, { chances, mean });
  }
  return solve(curvature, gradient);
}

function addTo(sums: Float64Array, { places, values }: Rows, share: (action: number) => number): void {
  for (const [action, own] of places.entries()) {
    const factor = share(action);
    if (factor === 0) continue;
    const value = values[action] as Float64Array;
    for (let at = 0; at < own.length; at++)
      sums[own[at] as number] = (sums[own[at] as number] as number) + factor * (value[at] as number);
  }
}

interface Spread {
  readonly chances: Float64Array;
  readonly mean: Float64Array;
}

/** The covariance of the features under the probabilities of the actions. */
function addCurvature(sums: readonly Float64Array[], { places, values }: Rows, { chances, mean }: Spread): void {
  for (const [action, own] of places.entries()) {
    const chance = chances[action] as number;
    if (chance < smallest) continue;
    const value = values[action] as Float64Array;
    for (let left = 0; left < own.length; left++) {
      const row = sums[own[left] as number] as Float64Array;
      const factor = chance * (value[left] as number);
      for (let right = 0; right < own.length; right++)
        row[own[right] as number] = (row[own[right] as number] as number) + factor * (value[right] as number);
    }
  }
  const known = [...mean.keys()].filter(at => mean[at] !== 0);
  for (const left of known) {
    const row = sums[left] as Float64Array;
    for (const right of known) row[right] = (row[right] as number) - (mean[left] as number) * (mean[right] as number);
  }
}
