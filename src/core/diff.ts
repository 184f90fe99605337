import { z } from 'zod';
import { EspalierError } from './errors.ts';
import { isJsonObject, jsonSchema, type Json, type JsonObject } from './json.ts';
import { covers, formatPath, parsePath, type Segments } from './path.ts';

export const changeSchema = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal('add'), path: z.string(), value: jsonSchema }),
  z.strictObject({ op: z.literal('remove'), path: z.string(), before: jsonSchema }),
  z.strictObject({ op: z.literal('replace'), path: z.string(), before: jsonSchema, value: jsonSchema }),
  z.strictObject({
    op: z.literal('order'),
    path: z.string(),
    before: z.array(z.string()).readonly(),
    value: z.array(z.string()).readonly(),
  }),
]);

/** One change at one path; it carries both sides, so it can be undone. */
export type Change = z.infer<typeof changeSchema>;

type Table = readonly (JsonObject & { readonly id: string })[];

/** The changes that turn `before` into `after`. Shared structure is skipped by identity. */
export function diff(before: Json, after: Json): Change[] {
  const changes: Change[] = [];
  compare(before, after, { path: [], changes });
  return changes;
}

interface Walk {
  readonly path: string[];
  readonly changes: Change[];
}

function compare(before: Json, after: Json, walk: Walk): void {
  if (Object.is(before, after)) return;
  if (Array.isArray(before) && Array.isArray(after)) return compareArrays(before, after, walk);
  if (isJsonObject(before) && isJsonObject(after)) return compareObjects(before, after, walk);
  walk.changes.push({ op: 'replace', path: formatPath(walk.path), before, value: after });
}

function compareObjects(before: JsonObject, after: JsonObject, walk: Walk): void {
  for (const key of Object.keys(before)) {
    compareMembers(before[key], Object.hasOwn(after, key) ? after[key] : undefined, { key, walk });
  }
  for (const key of Object.keys(after)) {
    if (!Object.hasOwn(before, key)) compareMembers(undefined, after[key], { key, walk });
  }
}

function compareMembers(before: Json | undefined, after: Json | undefined, at: { key: string; walk: Walk }): void {
  if (before === after) return;
  const { path, changes } = at.walk;
  path.push(at.key);
  if (after === undefined) changes.push({ op: 'remove', path: formatPath(path), before: before as Json });
  else if (before === undefined) changes.push({ op: 'add', path: formatPath(path), value: after });
  else compare(before, after, at.walk);
  path.pop();
}

function compareArrays(before: readonly Json[], after: readonly Json[], walk: Walk): void {
  if (looksLikeTable(before) && looksLikeTable(after)) {
    if (compareInPlace(before, after, walk)) return;
    if (isTable(before) && isTable(after)) return compareTables(before, after, walk);
  } else if (before.length === after.length && !hasRecords(before) && !hasRecords(after)) {
    for (let index = 0; index < before.length; index++) {
      compareMembers(before[index], after[index], { key: String(index), walk });
    }
    return;
  }
  if (before.length === after.length && before.every((item, index) => diff(item, after[index] as Json).length === 0))
    return;
  walk.changes.push({ op: 'replace', path: formatPath(walk.path), before, value: after });
}

/** The common case: the same records in the same places, a few of them changed. */
function compareInPlace(before: readonly Json[], after: readonly Json[], walk: Walk): boolean {
  if (before.length !== after.length) return false;
  const changed: number[] = [];
  for (let index = 0; index < before.length; index++) {
    if (before[index] === after[index]) continue;
    if (idOf(before[index]) === undefined || idOf(before[index]) !== idOf(after[index])) return false;
    changed.push(index);
  }
  if (changed.length > 0 && !(isTable(before) && isTable(after))) return false;
  for (const index of changed) compareMembers(before[index], after[index], { key: idOf(before[index]) ?? '', walk });
  return true;
}

function compareTables(before: Table, after: Table, walk: Walk): void {
  const old = new Map(before.map(record => [record.id, record]));
  const now = new Map(after.map(record => [record.id, record]));
  for (const [key, record] of old) compareMembers(record, now.get(key), { key, walk });
  for (const [key, record] of now) if (!old.has(key)) compareMembers(undefined, record, { key, walk });
  if (!appends(old, now) || !appends(now, old)) {
    walk.changes.push({ op: 'order', path: formatPath(walk.path), before: [...old.keys()], value: [...now.keys()] });
  }
}

/** Whether taking away what is gone and appending what is new gives the new order. */
function appends(old: ReadonlyMap<string, unknown>, now: ReadonlyMap<string, unknown>): boolean {
  const grown = [...old.keys()].filter(id => now.has(id));
  for (const id of now.keys()) if (!old.has(id)) grown.push(id);
  let index = 0;
  for (const id of now.keys()) if (grown[index++] !== id) return false;
  return true;
}

function looksLikeTable(items: readonly Json[]): boolean {
  return items.length === 0 || idOf(items[0]) !== undefined;
}

/** Such an array is never addressed by index: its members would change their names while it is patched. */
function hasRecords(items: readonly Json[]): boolean {
  return items.some(item => idOf(item) !== undefined);
}

function isTable(items: readonly Json[]): items is Table {
  const seen = new Set<string>();
  for (const item of items) {
    const id = idOf(item);
    if (id === undefined) return false;
    seen.add(id);
  }
  return seen.size === items.length;
}

function idOf(item: Json | undefined): string | undefined {
  if (!isJsonObject(item)) return undefined;
  return typeof item['id'] === 'string' ? item['id'] : undefined;
}

/** Whether one of the patterns allows this change. */
export function isCovered(patterns: readonly Segments[], change: Change): boolean {
  const segments = parsePath(change.path);
  if (patterns.some(pattern => covers(pattern, segments))) return true;
  if (change.op !== 'add') return false;
  const asNew = segments.with(-1, '+');
  return patterns.some(pattern => covers(pattern, asNew));
}

/** What takes the changes back. */
export function invert(changes: readonly Change[]): Change[] {
  const membership = changes.filter(change => change.op !== 'order').map(invertOne);
  const order = changes.filter(change => change.op === 'order').map(invertOne);
  // Undoing a removal appends: the order comes back last.
  return [...membership, ...order];
}

function invertOne(change: Change): Change {
  switch (change.op) {
    case 'add':
      return { op: 'remove', path: change.path, before: change.value };
    case 'remove':
      return { op: 'add', path: change.path, value: change.before };
    default:
      return { ...change, before: change.value, value: change.before } as Change;
  }
}

/** A new value with the changes made; what they do not touch is shared with the old one. */
export function patch(value: Json, changes: readonly Change[]): Json {
  let current = value;
  for (const change of changes) {
    current = change.path === '' ? changeHere(current, change) : changeBelow(current, parsePath(change.path), change);
  }
  return current;
}

function changeHere(value: Json, change: Change): Json {
  if (change.op === 'order') return reorder(value, change);
  if (change.op === 'remove') throw misfit(change, 'something that stays');
  return change.value;
}

function changeBelow(value: Json, segments: readonly string[], change: Change): Json {
  const [segment, ...rest] = segments as [string, ...string[]];
  if (Array.isArray(value)) return changeArray(value, { segment, rest, change });
  if (!isJsonObject(value)) throw misfit(change, 'an object or array on the way');
  if (rest.length === 0 && change.op === 'remove') {
    if (!Object.hasOwn(value, segment)) throw misfit(change, `a member "${segment}"`);
    const { [segment]: _removed, ...others } = value;
    return others;
  }
  const child = Object.hasOwn(value, segment) ? value[segment] : undefined;
  if (child === undefined && (rest.length > 0 || change.op !== 'add')) throw misfit(change, `a member "${segment}"`);
  const changed = rest.length === 0 ? changeHere(child ?? null, change) : changeBelow(child as Json, rest, change);
  return { ...value, [segment]: changed };
}

interface ArrayStep {
  readonly segment: string;
  readonly rest: readonly string[];
  readonly change: Change;
}

function changeArray(items: readonly Json[], { segment, rest, change }: ArrayStep): Json {
  const index = looksLikeTable(items) ? items.findIndex(item => idOf(item) === segment) : Number(segment);
  const last = rest.length === 0;
  if (last && change.op === 'add' && idOf(change.value) === segment && index < 0) return [...items, change.value];
  if (!(index >= 0 && index < items.length)) throw misfit(change, `a member "${segment}"`);
  if (last && change.op === 'remove') return items.toSpliced(index, 1);
  const child = items[index] as Json;
  return items.with(index, last ? changeHere(child, change) : changeBelow(child, rest, change));
}

function reorder(value: Json, change: Change & { op: 'order' }): Json {
  if (!Array.isArray(value) || !isTable(value)) throw misfit(change, 'a table');
  const records = new Map(value.map(record => [record.id, record]));
  const ordered = change.value.flatMap(id => records.get(id) ?? []);
  if (ordered.length !== value.length || ordered.length !== change.value.length)
    throw misfit(change, 'an order that names every record once');
  return ordered;
}

function misfit(change: Change, expected: string): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'corrupt-record',
    message: `The change ${change.op} ${change.path === '' ? '(root)' : change.path} does not fit the value.`,
    expected: `Expected ${expected}; apply a patch to the value it was made from.`,
  });
}
