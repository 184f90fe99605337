import type { Json, JsonObject } from '../../core/json.ts';
import type { Random } from '../../core/random.ts';
import type { Type } from '../problems/types/type.ts';

export const tripleLevels = ['easy', 'medium', 'hard'] as const;
export type TripleLevel = (typeof tripleLevels)[number];

/** A kind of question with code that answers it: data by seed, the question in words, a program and the answer. */
export interface TripleForm {
  readonly name: string;
  readonly domain: string;
  /** How an answer is written and read. */
  readonly output: Type;
  /** Null when this draw gave no question. */
  draw(random: Random, level: TripleLevel): JsonObject | null;
  /** One form for all data that ask the same, such as items in another order. */
  canonical(data: JsonObject): Json;
  question(data: JsonObject): string;
  /** A Python program that reads nothing and prints the answer. */
  code(data: JsonObject): string;
  /** The answer worked out without the program, and in another way. */
  solve(data: JsonObject): Json;
}

/** A question by its form and data. The program and the answer follow from them. */
export interface Triple {
  readonly form: TripleForm;
  readonly data: JsonObject;
}

interface FormDefinition<D extends JsonObject> {
  readonly name: string;
  readonly domain: string;
  readonly output: Type;
  draw(random: Random, level: TripleLevel): D | null;
  /** The data themselves when left out. */
  canonical?(data: D): Json;
  question(data: D): string;
  /** The lines of a Python program over `data`; the last one prints. */
  readonly program: string;
  solve(data: D): Json;
}

export function defineForm<D extends JsonObject>(definition: FormDefinition<D>): TripleForm {
  const { name, domain, output, program } = definition;
  return {
    name,
    domain,
    output,
    draw: definition.draw,
    // Data comes from the sampler of the same form: tasks are sealed.
    canonical: data => definition.canonical?.(data as D) ?? data,
    question: data => definition.question(data as D),
    code: data => `import json\ndata = json.loads(${JSON.stringify(JSON.stringify(data))})\n${program}\n`,
    solve: data => definition.solve(data as D),
  };
}

/** A value for each level. */
export function at<T>(level: TripleLevel, values: readonly [T, T, T]): T {
  return values[tripleLevels.indexOf(level)] as T;
}

/** The same list whatever order its elements stand in. */
export function inAnyOrder(values: readonly Json[]): Json {
  return values.map(value => JSON.stringify(value)).toSorted();
}
