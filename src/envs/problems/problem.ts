import { causeText, EspalierError, invalidApp } from '../../core/errors.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import type { Random } from '../../core/random.ts';
import type { Script, Told } from './script.ts';
import type { Type } from './types/type.ts';

export const levels = ['easy', 'medium', 'hard'] as const;
export type Level = (typeof levels)[number];

/** A value for each level, the easiest first. */
export type ByLevel<T> = Readonly<Record<Level, T>>;

export function byLevel<T>(easy: T, medium: T, hard: T): ByLevel<T> {
  return { easy, medium, hard };
}

/** What a question is asked about. */
export interface Instance {
  readonly input: Json;
  /** What else the question needs, such as two nodes of a graph. It never comes from another problem. */
  readonly parameters: Json;
}

export interface Given extends Instance {
  /** How the question refers to its input; null when the input is written out. */
  readonly phrase: string | null;
}

export interface Completion {
  readonly input: Json;
  readonly random: Random;
  readonly level: Level;
}

/** A base problem or a composition: inputs by seed, a question in words, and the right answer. */
export interface Problem<in I extends Json = never, out O extends Json = Json> {
  /** `gcd`, or `SEQUENTIAL(gcd,prime-factors)`. */
  readonly name: string;
  readonly subject: string;
  readonly about: string;
  readonly input: Type;
  readonly output: Type;
  /** Operators inside each other: 0 for a base problem. */
  readonly depth: number;
  /** The operator of a composition; null for a base problem. */
  readonly operator: string | null;
  readonly children: readonly Problem[];
  /** Whether there is one right answer. Only then can another problem go on from it. */
  readonly isFunction: boolean;
  /** The hardest level that the brute-force solution is fast enough for. */
  readonly bruteForceUpTo: Level;
  /** Null when no instance was found at this level. */
  draw(random: Random, level: Level): Instance | null;
  /** Parameters that go with a given input; null when there are none. */
  complete(completion: Completion): Json | null;
  /** Adds its steps to the script, and returns the result of the last. */
  unfold(given: Given, script: Script): Told;
  /**
   * What is asked, without its wording: the same for questions that differ only in the order of equal parts or in how
   * operators are bracketed. Inputs that come from an earlier step stand as their phrase.
   */
  content(given: Given): Json;
  /** For the compiler alone: a composition whose types do not fit is an error. */
  readonly types?: { readonly takes: (input: I) => void; readonly gives: O };
}

export interface ProblemDefinition<I extends Json, O extends Json, P extends JsonObject> {
  /** Lower-case words joined by -. */
  readonly name: string;
  readonly subject: string;
  readonly about: string;
  readonly input: Type<I>;
  readonly output: Type<O>;
  sample(random: Random, level: Level): I;
  /** One form for all inputs that ask the same, such as a list whose order does not count. The input itself when left out. */
  canonical?(input: NoInfer<I>): Json;
  /** What the question needs beside its input; null when this input allows no question. */
  parameters?(input: I, random: Random, level: Level): P | null;
  /** The question. `x` is the input in words: a value, or a reference to an earlier result. */
  readonly wordings: readonly [Wording<P>, Wording<P>, ...Wording<P>[]];
  solve(input: I, parameters: P): O;
  /** A second solution that shares no code with the first. */
  bruteForce(input: I, parameters: P): O;
  readonly bruteForceUpTo?: Level;
  /** Whether an answer is right, where more than one is. */
  check?(answer: O, input: I, parameters: P): boolean;
}

type Wording<P> = (x: string, parameters: P) => string;

const nameRule = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const drawsToTry = 50;

export function defineProblem<I extends Json, O extends Json, P extends JsonObject>(
  definition: ProblemDefinition<I, O, P>,
): Problem<I, O> {
  const { name, subject, about, input, output, check } = definition;
  if (!nameRule.test(name)) throw invalidName(name);
  // Values are checked against the types when they are drawn: here the compiler takes our word.
  const complete = ({ input: value, random, level }: Completion): P | null =>
    definition.parameters === undefined ? ({} as P) : definition.parameters(value as I, random, level);
  return {
    name,
    subject,
    about,
    input,
    output,
    depth: 0,
    operator: null,
    children: [],
    isFunction: check === undefined,
    bruteForceUpTo: definition.bruteForceUpTo ?? 'hard',
    draw(random, level) {
      for (let attempt = 0; attempt < drawsToTry; attempt++) {
        const value = guarded(name, 'sample', () => definition.sample(random, level));
        if (!input.holds(value)) throw outsideType(name, 'sample', input);
        const parameters = guarded(name, 'parameters', () => complete({ input: value, random, level }));
        if (parameters !== null) return { input: value, parameters };
      }
      return null;
    },
    content({ input: value, parameters, phrase }) {
      const canonical = definition.canonical ?? input.canonical ?? ((given: I): Json => given);
      return [name, phrase ?? guarded(name, 'canonical', () => canonical(value as I)), parameters];
    },
    complete: completion => guarded(name, 'parameters', () => complete(completion)),
    unfold({ input: value, parameters, phrase }, script) {
      const [given, rest] = [value as I, parameters as P];
      const stage = script.solver === 'oracle' ? 'solve' : 'bruteForce';
      const solution = guarded(name, stage, () => definition[stage](given, rest));
      if (!output.holds(solution)) throw outsideType(name, stage, output);
      const wording = definition.wordings[script.wording % definition.wordings.length] as Wording<P>;
      return script.add({
        problem: name,
        type: output,
        value: solution,
        text: () => guarded(name, 'wordings', () => wording(phrase ?? input.write(given), rest)),
        ...(check === undefined
          ? {}
          : { accepts: answer => guarded(name, 'check', () => check.call(definition, answer as O, given, rest)) }),
      });
    },
  };
}

function guarded<T>(name: string, stage: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new EspalierError({
      boundary: 'environment',
      code: 'oracle-failed',
      message: `Problem "${name}" threw in ${stage}: ${causeText(cause)}.`,
      expected: `Expected ${stage} to work for every input of its type.`,
      cause,
    });
  }
}

function outsideType(name: string, stage: string, { name: type }: Type): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'oracle-failed',
    message: `Problem "${name}" gave a value in ${stage} that is not of its type.`,
    expected: `Expected: ${type}.`,
  });
}

function invalidName(name: string): EspalierError {
  return invalidApp(`"${name}" cannot be the name of a problem.`, 'Expected lower-case words joined by -.');
}
