import { isFunction, kindOf, ProgramError, textOf, type Meter, type Value } from './values.ts';

type Method<T> = (on: T, given: readonly Value[], meter: Meter) => Value;

/** The methods of texts. There are no others: names are looked up here, never on a prototype. */
const textMethods: ReadonlyMap<string, Method<string>> = new Map<string, Method<string>>([
  ['includes', (on, [part, from], meter) => searched(on, meter).includes(textOf(part), wholeOr(from, 0))],
  ['startsWith', (on, [part, from]) => on.startsWith(textOf(part), wholeOr(from, 0))],
  ['endsWith', (on, [part, to]) => on.endsWith(textOf(part), wholeOr(to, on.length))],
  ['indexOf', (on, [part, from], meter) => searched(on, meter).indexOf(textOf(part), wholeOr(from, 0))],
  ['slice', (on, [from, to], meter) => meter.allocate(on.slice(wholeOr(from, 0), wholeOr(to, on.length)))],
  ['toLowerCase', (on, _given, meter) => meter.allocate(on.toLowerCase())],
  ['toUpperCase', (on, _given, meter) => meter.allocate(on.toUpperCase())],
  ['trim', (on, _given, meter) => meter.allocate(on.trim())],
  ['split', (on, [by, most], meter) => meter.allocate(splitText(searched(on, meter), by, most))],
]);

const arrayMethods: ReadonlyMap<string, Method<Value[]>> = new Map<string, Method<Value[]>>([
  [
    'push',
    (on, given, meter) => {
      meter.grow(given.length);
      return on.push(...given);
    },
  ],
  ['pop', on => on.pop()],
  ['includes', (on, [item, from], meter) => counted(on, meter).includes(item, wholeOr(from, 0))],
  ['indexOf', (on, [item, from], meter) => counted(on, meter).indexOf(item, wholeOr(from, 0))],
  ['slice', (on, [from, to], meter) => meter.allocate(on.slice(wholeOr(from, 0), wholeOr(to, on.length)))],
  ['concat', (on, others, meter) => meter.allocate([...on, ...others.flatMap(listOf)])],
  ['join', (on, [by = ','], meter) => joined(on, textOf(by), meter)],
  ['map', (on, [each], meter) => meter.allocate(on.map((item, at) => applied(each, [item, at, on])))],
  ['filter', (on, [each], meter) => meter.allocate(on.filter((item, at) => isTrue(applied(each, [item, at, on]))))],
  ['every', (on, [each]) => on.every((item, at) => isTrue(applied(each, [item, at, on])))],
  ['some', (on, [each]) => on.some((item, at) => isTrue(applied(each, [item, at, on])))],
  ['find', (on, [each]) => on.find((item, at) => isTrue(applied(each, [item, at, on])))],
]);

/** Calls a method of a text or an array. */
export function callMethod(
  on: Value,
  name: string,
  { given, meter }: { given: readonly Value[]; meter: Meter },
): Value {
  const method = typeof on === 'string' ? textMethods.get(name) : undefined;
  if (method !== undefined) return method(on as string, given, meter);
  const ofArray = Array.isArray(on) ? arrayMethods.get(name) : undefined;
  if (ofArray !== undefined) return ofArray(on as Value[], given, meter);
  throw new ProgramError(`A value of type ${kindOf(on)} has no method "${name}".`);
}

/** Truth as in JavaScript; every array, object and function is true. */
export function isTrue(value: Value): boolean {
  return Boolean(value);
}

function applied(each: Value, given: readonly Value[]): Value {
  if (!isFunction(each)) throw new ProgramError('Expected a function.');
  return each.call(given);
}

function listOf(value: Value): readonly Value[] {
  return Array.isArray(value) ? value : [value];
}

function splitText(on: string, by: Value, most: Value): Value[] {
  const parts = by === undefined ? [on] : on.split(textOf(by));
  // JavaScript takes the limit modulo 2^32.
  return parts.slice(0, wholeOr(most, parts.length) >>> 0);
}

/** Searching a long array takes as many steps as it has elements. */
function counted(on: Value[], meter: Meter): Value[] {
  for (let at = 0; at < on.length; at++) meter.step();
  return on;
}

/** Searching a text counts like copying it. */
function searched(on: string, meter: Meter): string {
  meter.grow(on.length);
  return on;
}

function joined(on: readonly Value[], by: string, meter: Meter): string {
  let text = '';
  for (const [at, item] of on.entries()) {
    const part = `${at === 0 ? '' : by}${item === null || item === undefined ? '' : textOf(item)}`;
    meter.grow(part.length);
    text += part;
  }
  return meter.allocate(text);
}

function wholeOr(value: Value, otherwise: number): number {
  if (value === undefined) return otherwise;
  if (typeof value !== 'number' || !Number.isInteger(value)) throw new ProgramError('Expected a whole number.');
  return value;
}
