import type { Json } from '../../../core/json.ts';
import type { Random } from '../../../core/random.ts';
import { undressedItem } from '../../../worlds/verdict/answer-dress.ts';
import { compareRationals, isRational } from './fraction.ts';
import { sameValue, unreadable, type Reading, type Type } from './type.ts';

export interface LengthOptions {
  readonly shortest?: number;
  readonly longest?: number;
}

export function list<V extends Json>(
  element: Type<V>,
  { shortest = 0, longest = 200 }: LengthOptions = {},
): Type<readonly V[]> {
  return {
    kind: 'list',
    name: `list of ${shortest} to ${longest} of: ${element.name}`,
    form: `a list such as ${listExample(element)}; [] when it is empty. Each element is ${element.form}`,
    elements: [element],
    holds: value => isListOf(value, element, { shortest, longest }),
    write: value => `[${(value as readonly Json[]).map(item => element.write(item)).join(', ')}]`,
    read: given => readItems(given, element),
    near: (value, random) => nearList(value as readonly Json[], element, random),
  };
}

declare const unordered: unique symbol;

/** Distinct values in ascending order. The mark exists for the compiler alone: a list is no set. */
export type SetOf<V extends Json> = readonly V[] & { readonly [unordered]: true };

/** Sorts and leaves out what stands there twice. */
export function distinct<V extends Json>(values: Iterable<V>): SetOf<V> {
  const sorted = [...values].toSorted(compareValues);
  return sorted.filter(
    (value, index) => index === 0 || !sameValue(value, sorted[index - 1] as V),
  ) as unknown as SetOf<V>;
}

/** A set: an answer may name its elements in any order, once or several times. */
export function set<V extends Json>(
  element: Type<V>,
  { shortest = 0, longest = 200 }: LengthOptions = {},
): Type<SetOf<V>> {
  return {
    kind: 'set',
    name: `set of ${shortest} to ${longest} of: ${element.name}`,
    form: `a set such as ${listExample(element).replace('[', '{').replace(']', '}')}, in any order; {} when it is empty. Each element is ${element.form}`,
    elements: [element],
    holds: value =>
      isListOf(value, element, { shortest, longest }) && sameValue(distinct(value as readonly Json[]), value),
    write: value => `{${(value as readonly Json[]).map(item => element.write(item)).join(', ')}}`,
    read(given) {
      const items = readItems(given, element);
      return 'value' in items ? { value: distinct(items.value) } : items;
    },
    near: (value, random) => distinct(nearList(value as readonly Json[], element, random)),
  };
}

/** Two values of two types, written as (a, b). */
export function pair<A extends Json, B extends Json>(first: Type<A>, second: Type<B>): Type<readonly [A, B]> {
  return tuple([first, second]) as Type<readonly [A, B]>;
}

/** Several values, each of a type of its own. */
export function tuple(elements: readonly Type[]): Type<readonly Json[]> {
  const names = elements.map(({ name }) => name).join(' and ');
  return {
    kind: 'tuple',
    name: `${elements.length === 2 ? 'pair' : `group of ${elements.length}`} of: ${names}`,
    form: `${elements.length} values in parentheses, such as (a, b). In order: ${elements.map(({ form }) => form).join('; ')}`,
    elements,
    holds: value =>
      Array.isArray(value) &&
      value.length === elements.length &&
      elements.every((element, index) => element.holds(value[index] as Json)),
    write: value => `(${elements.map((element, index) => element.write((value as Json[])[index] as Json)).join(', ')})`,
    read: given => readTuple(given, elements),
    near(value, random) {
      const at = random.between(0, elements.length - 1);
      return (value as readonly Json[]).map((item, index) =>
        index === at ? (elements[at] as Type).near(item, random) : item,
      );
    },
  };
}

/** Ascending: numbers by size, texts by their characters, dates by time, lists by their first difference. */
export function compareValues(one: Json, other: Json): number {
  if (isRational(one) && isRational(other)) return compareRationals(one, other);
  if (typeof one === 'string' && typeof other === 'string') return one < other ? -1 : one > other ? 1 : 0;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return Number(one) - Number(other);
  const [left, right] = [Object.values(one) as Json[], Object.values(other) as Json[]];
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const order = compareValues(left[index] as Json, right[index] as Json);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** One form for values whose order does not count: `canonical` of such problems. */
export function inAnyOrder(values: readonly Json[]): Json {
  return values.toSorted(compareValues);
}

function isListOf(value: Json, element: Type, { shortest, longest }: Required<LengthOptions>): boolean {
  if (!Array.isArray(value) || value.length < shortest || value.length > longest) return false;
  return value.every(item => element.holds(item as Json));
}

function listExample({ kind }: Type): string {
  if (kind === 'integer' || kind === 'rational') return '[3, 1, 4]';
  return kind === 'text' ? '[abc, de]' : kind === 'boolean' ? '[yes, no]' : '[a, b]';
}

function nearList(value: readonly Json[], element: Type, random: Random): Json[] {
  const items = [...value];
  const [first] = items;
  if (first === undefined) return [exampleOf(element)];
  const at = random.between(0, items.length - 1);
  if (items.length > 1 && random.chance(0.4)) return items.toSpliced(at, 1);
  const near = element.near(items[at] as Json, random);
  // In a set the nearby value may stand there already: then one element is left out.
  return items.some(item => sameValue(item, near)) ? items.toSpliced(at, 1) : items.with(at, near);
}

function exampleOf({ kind }: Type): Json {
  return kind === 'text' ? 'a' : kind === 'boolean' ? true : 1;
}

function readItems<V extends Json>(given: string, element: Type<V>): Reading<V[]> {
  const parts = itemsIn(given);
  if (parts === null) return unreadable('wrong-form', 'expected brackets that are closed, at most eight levels deep');
  const values: V[] = [];
  for (const part of parts) {
    const item = element.read(undressedItem(part));
    if (!('value' in item)) return item;
    values.push(item.value);
  }
  return { value: values };
}

function readTuple(given: string, elements: readonly Type[]): Reading<Json[]> {
  const parts = itemsIn(given);
  if (parts?.length !== elements.length) {
    const found = parts === null ? 'its brackets are not closed' : `there are ${parts.length}`;
    return unreadable('wrong-form', `expected ${elements.length} values with commas between them, but ${found}`);
  }
  const values: Json[] = [];
  for (const [index, element] of elements.entries()) {
    const item = element.read(undressedItem(parts[index] as string));
    if (!('value' in item)) return item;
    values.push(item.value);
  }
  return { value: values };
}

const deepest = 8;
const closing: Readonly<Record<string, string>> = { '[': ']', '(': ')', '{': '}' };

/** The items of a list, with or without its own brackets; null when brackets are not closed. */
function itemsIn(given: string): string[] | null {
  const inner = unwrapped(given);
  if (inner.trim() === '' || /^(?:none|empty)$/i.test(inner.trim())) return [];
  const items: string[] = [];
  const open: string[] = [];
  let start = 0;
  for (let index = 0; index < inner.length; index++) {
    const character = inner[index] as string;
    if (closing[character] !== undefined) open.push(closing[character]);
    else if (/[)\]}]/.test(character) && open.pop() !== character) return null;
    if (open.length > deepest) return null;
    if (open.length === 0 && (character === ',' || character === ';')) {
      items.push(inner.slice(start, index).trim());
      start = index + 1;
    }
  }
  if (open.length > 0) return null;
  items.push(inner.slice(start).trim());
  return items;
}

/** Without the outer brackets, where one pair encloses everything. */
function unwrapped(given: string): string {
  const last = closing[given[0] ?? ''];
  if (last === undefined || given.at(-1) !== last) return given;
  let depth = 0;
  for (let index = 0; index < given.length - 1; index++) {
    if (/[([{]/.test(given[index] as string)) depth++;
    if (/[)\]}]/.test(given[index] as string)) depth--;
    if (depth === 0) return given;
  }
  return given.slice(1, -1);
}
