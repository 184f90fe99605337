import { actionKey, type Action } from '../../core/action.ts';
import type { Awaitable } from '../../core/contracts.ts';
import type { Situation } from '../../core/episode/view.ts';
import { createRandom } from '../../core/random.ts';
import { logSoftmax } from '../learned/ranking/ranker.ts';
import { createOdds, type Weights } from '../learned/student.ts';
import { createSmallOdds } from '../small/small-odds.ts';
import type { SmallModel } from '../small/small-model.ts';

/** A state as the search weighs its actions: what an agent sees there, and the screen one step before. */
export interface Moment extends Situation {
  /** Null at the start. */
  readonly screenBefore: string | null;
  /** All screens on the way here, the newest last; where they are not told, nothing is said of what steps did. */
  readonly screens?: readonly string[];
}

interface ScoredAction {
  readonly action: Action;
  readonly score: number;
}

export interface WeighedAction {
  readonly action: Action;
  /** Logarithm of its probability among the actions of this state. */
  readonly logprob: number;
}

/** Scores everything that can be done in a state; higher is likelier. */
export type Scorer = (moment: Moment) => readonly ScoredAction[];

/** Gives the probabilities of the actions in a state. A higher temperature makes them more equal. */
export type Prior = (moment: Moment, temperature: number) => Awaitable<readonly WeighedAction[]>;

/** A prior that needs no model. */
export type ReadyPrior = (moment: Moment, temperature: number) => readonly WeighedAction[];

/** Share of the probability that all actions get alike: none is out of reach. */
const evenShare = 0.05;

/** A prior from scores alone. */
export function createScorePrior(score: Scorer): ReadyPrior {
  return (moment, temperature) => {
    const scored = score(moment);
    if (scored.length === 0) return [];
    const logprobs = logSoftmax(Float64Array.from(scored, one => one.score / temperature));
    return scored.map(({ action }, at) => ({
      action,
      logprob: Math.log((1 - evenShare) * Math.exp(logprobs[at] as number) + evenShare / scored.length),
    }));
  };
}

/** Mixes another prior with the probabilities of a trained student, which have so much weight: from 0 to 1. */
export function createStudentPrior(weights: Weights, other: ReadyPrior, weight = 0.5): ReadyPrior {
  if (weight === 0) return other;
  const odds = createOdds(weights);
  const random = createRandom('prior');
  return (moment, temperature) => {
    const weighed = other(moment, temperature);
    const known = odds({ situation: moment, temperature, random, allows: ({ kind }) => kind !== 'finish' });
    return known === null ? weighed : mixed(weighed, known.choices, weight);
  };
}

/** The same with the probabilities of the model small. */
export function createModelPrior(model: SmallModel, other: ReadyPrior, weight = 0.5): Prior {
  if (weight === 0) return other;
  const odds = createSmallOdds(model);
  const random = createRandom('prior');
  return async (moment, temperature) => {
    const weighed = other(moment, temperature);
    const known = await odds({ situation: moment, temperature, random, allows: ({ kind }) => kind !== 'finish' });
    return known === null ? weighed : joined(weighed, known.choices, weight);
  };
}

/** What the model finds as likely as this is tried, too, where words do not offer it. */
const leastOffered = Math.log(0.02);

/** What either offers. The other one gives it no chance. */
function joined(weighed: readonly WeighedAction[], known: readonly WeighedAction[], weight: number): WeighedAction[] {
  const offered = new Set(weighed.map(({ action }) => actionKey(action)));
  const more = known.filter(({ action, logprob }) => logprob >= leastOffered && !offered.has(actionKey(action)));
  return mixed([...weighed, ...more.map(({ action }) => ({ action, logprob: -Infinity }))], known, weight);
}

function mixed(weighed: readonly WeighedAction[], known: readonly WeighedAction[], weight: number): WeighedAction[] {
  const chances = new Map(known.map(({ action, logprob }) => [actionKey(action), logprob]));
  return weighed.map(({ action, logprob }) => ({
    action,
    logprob: Math.log(
      (1 - weight) * Math.exp(logprob) + weight * Math.exp(chances.get(actionKey(action)) ?? -Infinity),
    ),
  }));
}
