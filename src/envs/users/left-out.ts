import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import { standsIn } from '../../core/text.ts';

/** A value that an instruction names, where the parameters have it, and what it is called. */
export interface NamedValue {
  readonly path: readonly string[];
  readonly name: string;
  readonly value: string;
}

/** Shorter ones would be found by accident. */
const shortest = 2;

/** The values of a task that its instruction names, each once, in the order in which it does. */
export function namedValues(instruction: string, parameters: JsonObject): readonly NamedValue[] {
  const found = new Map<string, NamedValue>();
  for (const { path, value } of leavesOf(parameters, [])) {
    const isNamed = value.length >= shortest && standsIn(instruction, value);
    if (isNamed && !found.has(value)) found.set(value, { path, value, name: nameOf(path) });
  }
  // One inside another cannot be left out by itself.
  const values = [...found.keys()];
  const whole = [...found.values()].filter(
    ({ value }) => !values.some(other => other !== value && other.includes(value)),
  );
  const inOrder = whole.toSorted((left, right) => instruction.indexOf(left.value) - instruction.indexOf(right.value));
  return numbered(inOrder);
}

/** The instruction with values left out: whoever does the task has to ask for them. */
export function leaveOut(instruction: string, left: readonly NamedValue[]): string {
  return left.reduce((text, { name, value }) => {
    // Whole words only: "Home" does not stand in "Homes".
    const words = new RegExp(`"?(?<![\\p{L}\\p{N}])${RegExp.escape(value)}(?![\\p{L}\\p{N}])"?`, 'gu');
    return text.replaceAll(words, found => {
      const [before, after] = [found.startsWith('"'), found.endsWith('"')];
      const asked = `(ask me for the ${name})`;
      return before === after ? asked : `${before ? '"' : ''}${asked}${after ? '"' : ''}`;
    });
  }, instruction);
}

/** The value at a path; undefined where there is no text or number. */
export function textAt(parameters: JsonObject, path: readonly string[]): string | undefined {
  const found = leavesOf(parameters, []).find(leaf => leaf.path.join('/') === path.join('/'));
  return found?.value;
}

interface Leaf {
  readonly path: readonly string[];
  readonly value: string;
}

function leavesOf(value: Json, path: readonly string[]): readonly Leaf[] {
  if (typeof value === 'string' || typeof value === 'number') return [{ path, value: String(value) }];
  if (Array.isArray(value))
    return (value as readonly Json[]).flatMap((item, at) => leavesOf(item, [...path, String(at)]));
  return isJsonObject(value) ? Object.entries(value).flatMap(([key, item]) => leavesOf(item, [...path, key])) : [];
}

/** `newSubject` is a new subject; numbers of lists say nothing. */
function nameOf(path: readonly string[]): string {
  const key = path.findLast(part => !/^\d+$/.test(part)) ?? 'value';
  return key
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .toLowerCase();
}

function numbered(values: readonly NamedValue[]): readonly NamedValue[] {
  const used = new Map<string, number>();
  return values.map(value => {
    const times = (used.get(value.name) ?? 0) + 1;
    used.set(value.name, times);
    return times === 1 ? value : { ...value, name: `${value.name} ${times}` };
  });
}
