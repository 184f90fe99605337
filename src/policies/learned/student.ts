import { z } from 'zod';
import type { Action } from '../../core/action.ts';
import { describeAction } from '../../core/action.ts';
import type { OrdinaryPolicy } from '../../core/episode/agents.ts';
import type { Situation } from '../../core/episode/view.ts';
import { EspalierError } from '../../core/errors.ts';
import { createRandom, type Random } from '../../core/random.ts';
import { parseRecord } from '../../core/records.ts';
import { findChoices } from './choices.ts';
import { featuresOf, featureVersion } from './features.ts';
import { emptyWeights, fit, logSoftmax, logSum, scoresOf, softmax, type Example } from './ranker.ts';
import { readInstruction, readStateFeatures } from './situation.ts';

/** A situation, and what was the thing to do in it. */
export interface Lesson {
  readonly situation: Situation;
  readonly action: Action;
}

/** What a student knows. */
export interface Knowledge {
  readonly weights: Float32Array;
}

export interface Training {
  readonly knowledge: Knowledge;
  readonly lessons: number;
  /** Lessons whose action could not be found on their screen: nothing was learned from them. */
  readonly unmatched: number;
  /** Share of the lessons that the trained student would get right. */
  readonly fit: number;
}

/** A student that has learned nothing: it takes any action that the screen offers. */
export function blankKnowledge(): Knowledge {
  return { weights: emptyWeights() };
}

/** Learns from lessons alone. The same lessons and seed give the same student. */
export function trainStudent(lessons: Iterable<Lesson>, seed: string | number): Training {
  const examples: Example[] = [];
  let count = 0;
  for (const { situation, action } of lessons) {
    count++;
    const features = readStateFeatures(situation);
    const choices = findChoices(features);
    const wanted = describeAction(action);
    const right = choices.flatMap((choice, index) => (describeAction(choice.action) === wanted ? [index] : []));
    if (right.length > 0) examples.push({ choices: featuresOf(features, choices), right });
  }
  const weights = fit(examples, { random: createRandom(seed) });
  const known = examples.filter(({ choices, right }) => right.includes(highest(scoresOf(weights, choices)))).length;
  return {
    knowledge: { weights },
    lessons: count,
    unmatched: count - examples.length,
    fit: examples.length === 0 ? 0 : known / examples.length,
  };
}

export interface StudentOptions {
  readonly knowledge: Knowledge;
  readonly name?: string;
  /** 0 takes the best action; 1 draws by the student's own probabilities. */
  readonly temperature?: number;
}

/** A linear softmax ranker over what can be done on the screen. It reads the text of the screen, and nothing else. */
export function createStudent({ knowledge, name = 'learned', temperature = 0 }: StudentOptions): OrdinaryPolicy {
  const weigh = createScale(knowledge);
  return {
    name,
    act({ instruction, history, observation, random }) {
      const { actions, scores } = weigh({ instruction, history, screen: observation.text });
      const taken = temperature === 0 ? highest(scores) : drawn(scores, temperature, random);
      return { action: actions[taken] as Action, confidence: probability(actions, scores, taken) };
    },
  };
}

/** How likely the student was to take this action, at temperature 1. One action may be weighed for several places. */
function probability(actions: readonly Action[], scores: Float64Array, taken: number): number {
  const chances = softmax(scores);
  const action = actions[taken] as Action;
  const text = describeAction(action);
  const same = (at: number): boolean => at === taken || describeAction(actions[at] as Action) === text;
  const total = chances.reduce(
    (sum, chance, at) => sum + (actions[at]?.kind === action.kind && same(at) ? chance : 0),
    0,
  );
  return Math.min(1, total);
}

interface Weighed {
  readonly actions: readonly Action[];
  readonly scores: Float64Array;
}

function createScale({ weights }: Knowledge): (situation: Situation) => Weighed {
  // An episode asks about one instruction many times.
  let reading = readInstruction('');
  return situation => {
    if (reading.instruction !== situation.instruction) reading = readInstruction(situation.instruction);
    const features = readStateFeatures(situation, reading);
    const choices = findChoices(features);
    return { actions: choices.map(({ action }) => action), scores: scoresOf(weights, featuresOf(features, choices)) };
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
export function createOdds(knowledge: Knowledge): (inquiry: Inquiry) => Odds | null {
  const weigh = createScale(knowledge);
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

function highest(scores: Float64Array): number {
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

const fileSchema = z.strictObject({
  kind: z.literal('espalier-student'),
  version: z.literal(1),
  features: z.int(),
  /** Places in the table of weights that are not 0, and what stands there: 32-bit little-endian numbers, as base64. */
  places: z.base64(),
  weights: z.base64(),
});

const bytesEach = 4;

/** A student as a file. */
export function writeStudent({ weights }: Knowledge): string {
  const held: number[] = [];
  for (let at = 0; at < weights.length; at++) if (weights[at] !== 0) held.push(at);
  const places = new DataView(new ArrayBuffer(bytesEach * held.length));
  const values = new DataView(new ArrayBuffer(bytesEach * held.length));
  for (const [index, at] of held.entries()) {
    places.setUint32(bytesEach * index, at, true);
    values.setFloat32(bytesEach * index, weights[at] as number, true);
  }
  const file: z.infer<typeof fileSchema> = {
    kind: 'espalier-student',
    version: 1,
    features: featureVersion,
    places: toBase64(places),
    weights: toBase64(values),
  };
  return `${JSON.stringify(file)}\n`;
}

/** Reads a student back. One that was trained with other features is refused. */
export function readStudent(text: string): Knowledge {
  const file = parseRecord(fileSchema, parsed(text), { what: 'student', code: 'corrupt-record' });
  if (file.features !== featureVersion) {
    throw damaged(
      `The student was trained with version ${file.features} of the features; this is version ${featureVersion}.`,
      'Train it again from the rows that were exported.',
    );
  }
  const places = bytesOf(file.places);
  const values = bytesOf(file.weights);
  const count = places.byteLength / bytesEach;
  const weights = emptyWeights();
  let isSound = Number.isInteger(count) && values.byteLength === places.byteLength;
  for (let index = 0; isSound && index < count; index++) {
    const at = places.getUint32(bytesEach * index, true);
    const value = values.getFloat32(bytesEach * index, true);
    isSound = at < weights.length && Number.isFinite(value);
    weights[at] = value;
  }
  if (!isSound) throw damaged('The student is damaged: its places and weights do not fit.', 'Train it again.');
  return { weights };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw damaged(`The student is not JSON: ${String(cause)}.`, 'Give the file that espalier train wrote.');
  }
}

function toBase64({ buffer }: DataView): string {
  let text = '';
  for (const byte of new Uint8Array(buffer)) text += String.fromCharCode(byte);
  return btoa(text);
}

function bytesOf(text: string): DataView {
  return new DataView(Uint8Array.from(atob(text), character => character.charCodeAt(0)).buffer);
}

function damaged(message: string, expected: string): EspalierError {
  return new EspalierError({ boundary: 'input', code: 'corrupt-record', message, expected });
}
