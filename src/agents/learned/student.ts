import type { Action } from '../../core/action.ts';
import { describeAction } from '../../core/action.ts';
import type { Alternative, Decision, OrdinaryPolicy } from '../../core/episode/agents.ts';
import type { Situation } from '../../core/episode/view.ts';
import { createRandom, type Random } from '../../core/random.ts';
import { findChoices, type Choice } from './reading/choices.ts';
import { fitCritic, stepsLeftIn, type ValuedState } from './ranking/critic.ts';
import { featuresOf } from './features/features.ts';
import type { Weights } from './weights.ts';
import { entropyOf, fit, logSoftmax, logSum, scoresOf, softmax, type Example } from './ranking/ranker.ts';
import { featuresOfChoice } from './features/sink.ts';
import { createReader } from './reader.ts';
import { remembering } from './remembering.ts';
import { readStateFeatures } from './reading/situation.ts';

export { untrainedWeights, type Weights } from './weights.ts';
export { readStudent, writeStudent } from './student-file.ts';

/** A situation, and what was the thing to do in it. */
export interface TrainingExample {
  readonly situation: Situation;
  readonly action: Action;
  /** Steps from here to the passing end of the episode, this one included; what is left out teaches the critic nothing. */
  readonly stepsLeft?: number;
}

export interface Training {
  readonly weights: Weights;
  readonly examples: number;
  /** Examples whose action could not be found on their screen: nothing was learned from them. */
  readonly unmatched: number;
  /** Share of the examples that the trained student would get right. */
  readonly fit: number;
}

/** Learns from examples alone. The same examples and seed give the same student. */
export function trainStudent(examples: Iterable<TrainingExample>, seed: string | number): Training {
  const ranked: Example[] = [];
  const states: ValuedState[] = [];
  let count = 0;
  for (const { situation, action, stepsLeft } of examples) {
    count++;
    const features = readStateFeatures(situation);
    const choices = findChoices(features);
    const wanted = describeAction(action);
    const right = choices.flatMap((choice, index) => (describeAction(choice.action) === wanted ? [index] : []));
    if (right.length === 0) continue;
    const weighed = featuresOf(features, choices);
    ranked.push({ choices: weighed, right });
    if (stepsLeft !== undefined) states.push({ finish: featuresOfChoice(weighed, finishIn(choices)), stepsLeft });
  }
  const policy = fit(ranked, { random: createRandom(seed) });
  const critic = fitCritic(states, { random: createRandom(seed).fork('critic') });
  const known = ranked.filter(({ choices, right }) => right.includes(highest(scoresOf(policy, choices)))).length;
  return {
    weights: { policy, critic },
    examples: count,
    unmatched: count - ranked.length,
    fit: ranked.length === 0 ? 0 : known / ranked.length,
  };
}

function finishIn(choices: readonly Choice[]): number {
  return choices.findIndex(({ kind }) => kind === 'finish');
}

export interface StudentOptions {
  readonly weights: Weights;
  readonly name?: string;
  /** 0 takes the best action; 1 draws by the student's own probabilities. */
  readonly temperature?: number;
}

/** Ranks what can be done on the screen. It reads the text of the screen, and nothing else. */
export function createStudent({ weights, name = 'learned', temperature = 0 }: StudentOptions): OrdinaryPolicy {
  const weigh = createScale(weights);
  return {
    name,
    act({ instruction, history, observation, random }) {
      const { actions, scores, value } = weigh({ instruction, history, screen: observation.text });
      const taken = temperature === 0 ? highest(scores) : drawn(scores, temperature, random);
      const chances = softmax(scores.slice());
      const same = sameActions(actions, actions[taken] as Action);
      return {
        action: actions[taken] as Action,
        prior: chances[taken] as number,
        confidence: Math.min(1, sumAt(chances, same)),
        value,
        ...likelihoodOf({ scores, same, temperature }),
        alternatives: alternativesTo(taken, actions, chances),
      };
    },
  };
}

interface Sampled {
  readonly scores: Float64Array;
  /** Where the action that was taken stands among the choices. */
  readonly same: readonly number[];
  readonly temperature: number;
}

/** How likely the action was at the temperature used, and the entropy of the choice; at temperature 0 those of 1. */
function likelihoodOf({ scores, same, temperature }: Sampled): Required<Pick<Decision, 'logprob' | 'entropy'>> {
  const logprobs = logSoftmax(scores.map(score => score / (temperature === 0 ? 1 : temperature)));
  const logprob = same.reduce((sum, at) => logSum(sum, logprobs[at] as number), -Infinity);
  // Plus 0, as -0 is not what a store gives back.
  return { logprob: Math.min(0, logprob) + 0, entropy: entropyOf(logprobs) };
}

/** Where an action stands among the choices: one action may be weighed for several places of the screen. */
export function sameActions(actions: readonly Action[], action: Action): number[] {
  const text = describeAction(action);
  return actions.flatMap((other, at) => (other.kind === action.kind && describeAction(other) === text ? [at] : []));
}

const mostAlternatives = 7;

/** The likeliest of the other actions. */
function alternativesTo(taken: number, actions: readonly Action[], chances: Float64Array): Alternative[] {
  const places = Array.from(chances.keys()).filter(at => at !== taken);
  const likeliest = places.toSorted((a, b) => (chances[b] as number) - (chances[a] as number));
  return likeliest
    .slice(0, mostAlternatives)
    .map(at => ({ action: actions[at] as Action, prior: chances[at] as number }));
}

function sumAt(values: Float64Array, places: readonly number[]): number {
  return places.reduce((sum, at) => sum + (values[at] as number), 0);
}

interface Weighed {
  readonly actions: readonly Action[];
  readonly scores: Float64Array;
  /** The number of steps that seem to be left, as a negative number. */
  readonly value: number;
}

/** Attempts at one task meet the same situations: so many are kept. */
const [mostScreens, mostOnScreen] = [256, 4];

function createScale({ policy, critic }: Weights): (situation: Situation) => Weighed {
  const read = createReader();
  const weigh = (situation: Situation): Weighed => {
    const { choices, features } = read(situation);
    return {
      actions: choices.map(({ action }) => action),
      scores: scoresOf(policy, features),
      value: -stepsLeftIn(critic, features, finishIn(choices)),
    };
  };
  // By screens first: what was hashed once is not hashed again.
  const on = remembering(mostScreens, () => remembering(mostOnScreen, weigh));
  return situation => {
    const { instruction, history, screen } = situation;
    return on(null, screen)(situation, [instruction, ...history].join('\n\0'));
  };
}

/** How a student is asked when its odds are wanted as well. */
interface Inquiry {
  readonly situation: Situation;
  readonly temperature: number;
  readonly random: Random;
  /** Which actions may be taken; the odds are those among them. */
  allows(action: Action): boolean;
}

/** An action, and the logarithm of how likely it is. */
interface Odd {
  readonly action: Action;
  readonly logprob: number;
}

/** What a student does, and how likely it was to do that and everything else. */
interface Odds {
  readonly taken: Odd;
  /** Everything it weighed, the likeliest first. */
  readonly choices: readonly Odd[];
}

/**
 * The student as a distribution: takes what `act` would take with the same chance. At temperature 0 the odds are those of
 * temperature 1. Null when nothing may be taken.
 */
export function createOdds(weights: Weights): (inquiry: Inquiry) => Odds | null {
  const weigh = createScale(weights);
  return ({ situation, temperature, random, allows }) => {
    const all = weigh(situation);
    const allowed = all.actions.flatMap((action, at) => (allows(action) ? [at] : []));
    if (allowed.length === 0) return null;
    const scores = Float64Array.from(allowed, at => all.scores[at] as number);
    const taken = temperature === 0 ? highest(scores) : drawn(scores, temperature, random);
    const logprobs = logSoftmax(scores.map(score => score / (temperature === 0 ? 1 : temperature)));
    const choices = new Map<string, Odd>();
    for (const [index, at] of allowed.entries()) {
      const action = all.actions[at] as Action;
      const text = describeAction(action);
      // One action may be weighed for several places of the screen.
      const before = choices.get(text)?.logprob ?? -Infinity;
      choices.set(text, { action, logprob: logSum(before, logprobs[index] as number) });
    }
    return {
      taken: choices.get(describeAction(all.actions[allowed[taken] as number] as Action)) as Odd,
      choices: [...choices.values()].toSorted((a, b) => b.logprob - a.logprob),
    };
  };
}

export function highest(scores: Float64Array): number {
  let best = 0;
  for (let at = 1; at < scores.length; at++) if ((scores[at] as number) > (scores[best] as number)) best = at;
  return best;
}

function drawn(scores: Float64Array, temperature: number, random: Random): number {
  const chances = softmax(scores.map(score => score / temperature));
  let left = random.next();
  for (let at = 0; at < chances.length; at++) {
    left -= chances[at] as number;
    if (left < 0) return at;
  }
  return chances.length - 1;
}
