import { z } from 'zod';
import { EspalierError } from './errors.ts';
import { isJsonObject, jsonSchema, type Json, type JsonObject } from './json.ts';
import { covers, formatPath, parsePath, type Segments } from './path.ts';

export const changeSchema = z.discriminatedUnion('op', [
  z.strictObject({
    op: z.literal('add'),
    path: z.string(),
    value: jsonSchema,
    index: z.int().nonnegative().optional(),
  }),
  z.strictObject({
    op: z.literal('remove'),
    path: z.string(),
    before: jsonSchema,
    index: z.int().nonnegative().optional(),
  }),
  z.strictObject({ op: z.literal('replace'), path: z.string(), before: jsonSchema, value: jsonSchema }),
  z.strictObject({
    op: z.literal('order'),
    path: z.string(),
    before: z.array(z.string()).readonly(),
    value: z.array(z.string()).readonly(),
  }),
]);

/**
 * One change at one path; it carries both sides, so it can be undone. A record that comes or goes carries its place in
 * the table; `order` is for records that stay and change places.
 */
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
    // Most members are the same ones: nothing is made for them.
    if (before[key] === after[key]) continue;
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
    if (compareInPlace(before, after, walk) || compareTables(before, after, walk)) return;
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
  if (
    !areUnique(
      changed.map(index => idOf(before[index]) as string),
      before,
    )
  )
    return false;
  for (const index of changed) compareMembers(before[index], after[index], { key: idOf(before[index]) ?? '', walk });
  return true;
}

/** Records that came, went or moved. False when they cannot be told by their ids. */
function compareTables(before: readonly Json[], after: readonly Json[], walk: Walk): boolean {
  const merged = merge(before, after);
  if (merged === null) return isTable(before) && isTable(after) && compareMoved(before, after, walk);
  const { common, gone, come } = merged;
  const ids = (indices: readonly number[], items: readonly Json[]) =>
    indices.map(index => idOf(items[index]) as string);
  if (!areUnique(ids([...common.map(([index]) => index), ...gone], before), before)) return false;
  if (!areUnique(ids(come, after), after)) return false;
  for (const [left, right] of common) {
    compareMembers(before[left], after[right], { key: idOf(before[left]) as string, walk });
  }
  const path = (item: Json | undefined): string => formatPath([...walk.path, idOf(item) as string]);
  for (const index of gone) {
    walk.changes.push({ op: 'remove', path: path(before[index]), before: before[index] as Json, index });
  }
  for (const index of come)
    walk.changes.push({ op: 'add', path: path(after[index]), value: after[index] as Json, index });
  return true;
}

interface Merged {
  /** Places, before and after, of records that stayed and changed. */
  readonly common: readonly (readonly [number, number])[];
  readonly gone: readonly number[];
  readonly come: readonly number[];
}

/** Walks both tables side by side; null when a record has moved or has no id. */
function merge(before: readonly Json[], after: readonly Json[]): Merged | null {
  const common: [number, number][] = [];
  const gone: number[] = [];
  const come: number[] = [];
  let left = 0;
  let right = 0;
  while (left < before.length || right < after.length) {
    const old = before[left];
    const now = after[right];
    if (old !== undefined && old === now) {
      left++;
      right++;
      continue;
    }
    const oldId = idOf(old);
    const nowId = idOf(now);
    if ((old !== undefined && oldId === undefined) || (now !== undefined && nowId === undefined)) return null;
    if (oldId === nowId) common.push([left++, right++]);
    else if (nowId !== undefined && !hasId(before, nowId)) come.push(right++);
    else if (oldId !== undefined && !hasId(after, oldId)) gone.push(left++);
    else return null;
  }
  return { common, gone, come };
}

function compareMoved(before: Table, after: Table, walk: Walk): boolean {
  const old = new Map(before.map(record => [record.id, record]));
  const now = new Map(after.map(record => [record.id, record]));
  for (const [key, record] of old) compareMembers(record, now.get(key), { key, walk });
  for (const [key, record] of now) if (!old.has(key)) compareMembers(undefined, record, { key, walk });
  walk.changes.push({ op: 'order', path: formatPath(walk.path), before: [...old.keys()], value: [...now.keys()] });
  return true;
}

function hasId(table: readonly Json[], id: string): boolean {
  return table.some(item => idOf(item) === id);
}

/** Whether each of these ids stands once in the table. */
function areUnique(ids: readonly string[], table: readonly Json[]): boolean {
  if (ids.length > 8) return isTable(table);
  return ids.every(id => {
    let count = 0;
    for (const item of table) if (idOf(item) === id) count++;
    return count <= 1;
  });
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
  return patterns.some(pattern => covers(pattern, segments, change.op === 'add'));
}

/** What takes the changes back. */
export function invert(changes: readonly Change[]): Change[] {
  const inverse = changes.map(invertOne);
  // As in a diff: what goes before what comes, so that places are right, and moves last.
  const last = (change: Change): number => (change.op === 'order' ? 2 : change.op === 'add' ? 1 : 0);
  return inverse.toSorted((left, right) => last(left) - last(right));
}

function invertOne(change: Change): Change {
  switch (change.op) {
    case 'add':
      return { op: 'remove', path: change.path, before: change.value, ...place(change) };
    case 'remove':
      return { op: 'add', path: change.path, value: change.before, ...place(change) };
    default:
      return { ...change, before: change.value, value: change.before } as Change;
  }
}

function place({ index }: { index?: number | undefined }): { index?: number } {
  return index === undefined ? {} : { index };
}

/** A new value with the changes made; what they do not touch is shared with the old one. */
export function patch(value: Json, changes: readonly Change[]): Json {
  let current = value;
  for (const change of changes) {
    if (change.path !== '' && !change.path.startsWith('/')) throw misfit(change, 'a path that starts with /');
    current = change.path === '' ? changeHere(current, change) : changeBelow(current, parsePath(change.path), change);
  }
  return current;
}

function changeHere(value: Json, change: Change): Json {
  if (change.op === 'order') return reorder(value, change);
  if (change.op !== 'replace') throw misfit(change, 'a place that can come and go');
  if (diff(change.before, value).length > 0) throw misfit(change, 'the value that it says was there');
  return change.value;
}

function changeBelow(value: Json, segments: readonly string[], change: Change): Json {
  const [segment, ...rest] = segments as [string, ...string[]];
  if (Array.isArray(value)) return changeArray(value, { segment, rest, change });
  if (!isJsonObject(value)) throw misfit(change, 'an object or array on the way');
  const child = Object.hasOwn(value, segment) ? value[segment] : undefined;
  if (rest.length === 0 && change.op === 'add') {
    if (child !== undefined) throw misfit(change, `no member "${segment}" yet`);
    return { ...value, [segment]: change.value };
  }
  if (child === undefined) throw misfit(change, `a member "${segment}"`);
  if (rest.length === 0 && change.op === 'remove') {
    if (diff(change.before, child).length > 0) throw misfit(change, 'the value that it says was there');
    const { [segment]: _removed, ...others } = value;
    return others;
  }
  return { ...value, [segment]: rest.length === 0 ? changeHere(child, change) : changeBelow(child, rest, change) };
}

interface ArrayStep {
  readonly segment: string;
  readonly rest: readonly string[];
  readonly change: Change;
}

function changeArray(items: readonly Json[], { segment, rest, change }: ArrayStep): Json {
  const index = indexOfMember(items, segment);
  const last = rest.length === 0;
  if (last && change.op === 'add') {
    if (index >= 0 || idOf(change.value) !== segment)
      throw misfit(change, `a record "${segment}" that is not there yet`);
    return items.toSpliced(change.index ?? items.length, 0, change.value);
  }
  const child = items[index];
  if (child === undefined) throw misfit(change, `a member "${segment}"`);
  if (last && change.op === 'remove') {
    if (diff(change.before, child).length > 0) throw misfit(change, 'the value that it says was there');
    return items.toSpliced(index, 1);
  }
  return items.with(index, last ? changeHere(child, change) : changeBelow(child, rest, change));
}

/** How paths name the members of an array: by id in a table, else by place. */
function indexOfMember(items: readonly Json[], segment: string): number {
  if (looksLikeTable(items)) return items.findIndex(item => idOf(item) === segment);
  return /^(0|[1-9]\d*)$/.test(segment) ? Number(segment) : -1;
}

/** The name of a member in paths; null when it cannot be told from others. */
export function memberName(items: readonly Json[], index: number): string | null {
  if (!looksLikeTable(items)) return String(index);
  const id = idOf(items[index]);
  return id !== undefined && areUnique([id], items) ? id : null;
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
