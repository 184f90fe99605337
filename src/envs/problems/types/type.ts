import type { Json } from '../../../core/json.ts';
import type { Random } from '../../../core/random.ts';

type Kind = 'integer' | 'rational' | 'boolean' | 'text' | 'date' | 'list' | 'set' | 'tuple' | 'grid' | 'graph';

/** Why an answer cannot be read. */
export type ReadingFault = 'empty' | 'too-long' | 'look-alike' | 'not-a-number' | 'wrong-form' | 'wrong-unit';

export type Reading<V> = { readonly value: V } | { readonly fault: ReadingFault; readonly message: string };

/** A range of whole numbers, both ends included. */
interface Range {
  readonly low: number;
  readonly high: number;
}

/**
 * A type of values: how a value is written, read and told from others. Values are JSON in one canonical form each, so two
 * are equal exactly when their JSON is.
 */
export interface Type<out V extends Json = Json> {
  readonly kind: Kind;
  /** In words, with its bounds: `integer from 2 to 100`. */
  readonly name: string;
  /** How an answer is written: `a whole number, such as 42`. */
  readonly form: string;
  /** Types of the elements of a list or set, or of the members of a tuple. */
  readonly elements: readonly Type[];
  /** Of integers. */
  readonly range?: Range;
  /** Of texts: the characters that may stand in one. */
  readonly alphabet?: string;
  /** Of texts that are one of a few words. */
  readonly options?: readonly string[];
  /** Whether a value is one of this type and within its bounds. */
  holds(value: Json): boolean;
  write(value: Json): string;
  /** Reads what an agent wrote; order, fractions and units may be written in several ways. */
  read(text: string): Reading<V>;
  /** One form for values that say the same, such as a graph whose edges are listed in another order. */
  canonical?(value: Json): Json;
  /** Another value that is nearly this one: what a wrong answer looks like. */
  near(value: Json, random: Random): Json;
}

export function unreadable(fault: ReadingFault, message: string): Reading<never> {
  return { fault, message };
}

/** Values are in canonical form: equal ones have equal JSON. */
export function sameValue(one: Json, other: Json): boolean {
  return one === other || (typeof one === 'object' && JSON.stringify(one) === JSON.stringify(other));
}
