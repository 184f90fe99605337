import type { Json } from '../../../core/json.ts';

/** A value inside a program. Objects are maps, so nothing has a prototype, a getter or a constructor. */
export type Value = undefined | null | boolean | number | string | Value[] | ObjectValue | FunctionValue;
export type ObjectValue = Map<string, Value>;

export interface FunctionValue {
  readonly type: 'function';
  call(given: readonly Value[]): Value;
}

/** A program that was stopped: it broke a rule, or took too much. */
export class ProgramError extends Error {
  override readonly name = 'ProgramError';
}

export interface ProgramLimits {
  /** Characters of the source. */
  readonly source: number;
  readonly steps: number;
  /** Characters, elements and members that a program makes, all together. */
  readonly memory: number;
  /** Nesting of expressions, statements and function calls. */
  readonly depth: number;
  /** Characters of one text: searching in a text takes its length times that of what is searched. */
  readonly text: number;
}

export const programLimits: ProgramLimits = {
  source: 10_000,
  steps: 20_000,
  memory: 200_000,
  depth: 250,
  text: 10_000,
};

/** Counts what a program uses, and stops it at a limit. */
export interface Meter {
  step(): void;
  allocate<V extends string | Value[] | ObjectValue>(value: V): V;
  /** Counts members that are added to a value. */
  grow(by: number): void;
  nested<T>(run: () => T): T;
}

export function createMeter(limits: ProgramLimits): Meter {
  let [steps, memory, depth] = [0, 0, 0];
  const grow = (by: number): void => {
    memory += by;
    if (memory > limits.memory) throw new ProgramError('The program takes too much memory.');
  };
  return {
    step() {
      if (++steps > limits.steps) throw new ProgramError(`The program takes more than ${limits.steps} steps.`);
    },
    grow,
    allocate(value) {
      if (typeof value === 'string' && value.length > limits.text)
        throw new ProgramError(`The program makes a text of more than ${limits.text} characters.`);
      grow(1 + (value instanceof Map ? value.size : value.length));
      return value;
    },
    nested(run) {
      if (++depth > limits.depth) throw new ProgramError('The program is nested too deeply.');
      const result = run();
      depth--;
      return result;
    },
  };
}

export function kindOf(value: Value): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (isFunction(value)) return 'function';
  return typeof value;
}

export function isFunction(value: Value): value is FunctionValue {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Map);
}

/** A value as JSON. Each element counts as a step: a small program can build a value that is huge when written out. */
export function toJson(value: Value, meter: Meter): Json {
  meter.step();
  if (value === undefined) return null;
  if (typeof value === 'string') meter.grow(value.length);
  if (typeof value === 'number' && !Number.isFinite(value)) throw new ProgramError(`${value} is no JSON value.`);
  if (Array.isArray(value)) return meter.nested(() => Array.from(value, item => toJson(item, meter)));
  if (value instanceof Map)
    return meter.nested(() => Object.fromEntries([...value].map(([name, item]) => [named(name), toJson(item, meter)])));
  if (isFunction(value)) throw new ProgramError('A function is no JSON value.');
  return value;
}

/** JSON as a value of a program, which may change it: nothing is shared. */
export function fromJson(json: Json): Value {
  if (Array.isArray(json)) return json.map(fromJson);
  if (typeof json !== 'object' || json === null) return json;
  return new Map(Object.entries(json).map(([name, item]) => [name, fromJson(item)]));
}

/** Readers of JSON may take this name for a prototype. */
function named(name: string): string {
  if (name === '__proto__') throw new ProgramError('No member of JSON may be called __proto__.');
  return name;
}

/** Text of a simple value. Arrays, objects and functions have none. */
export function textOf(value: Value): string {
  if (typeof value === 'object' && value !== null)
    throw new ProgramError(`Expected a text, but this is of type ${kindOf(value)}.`);
  return String(value);
}
