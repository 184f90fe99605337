import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import { covers, formatPath, parsePath, type Segments } from '../../core/path.ts';

/** Changes on the way to a state that the state itself does not show. Immutable; paths in the order they happened. */
export interface HiddenChanges {
  /** Records that were added and removed again, or removed and added again. */
  readonly erased: readonly string[];
  /** Incidental paths that a command changed, not a gesture. */
  readonly commanded: readonly string[];
}

export const nothingHidden: HiddenChanges = { erased: [], commanded: [] };

interface Transition {
  readonly before: JsonObject;
  readonly after: JsonObject;
  /** Done by a command, which acts; not by a gesture, which only looks around. */
  readonly byCommand: boolean;
}

export interface HiddenRules {
  readonly initial: JsonObject;
  /** Paths that looking around may change. */
  readonly incidental: readonly string[];
  /** Tables whose records may come and go without a trace. */
  readonly undoable: readonly string[];
}

/** Follows an episode from state to state: gives what is hidden after a step, from what was hidden before it. */
export type FollowChanges = (known: HiddenChanges, transition: Transition) => HiddenChanges;

export function createFollower({ initial, ...rules }: HiddenRules): FollowChanges {
  const undoable = [...rules.undoable, '/ui'].map(parsePath);
  const incidental = rules.incidental.map(parsePath);
  const isOrdinary = createFilter(initial, incidental);
  return (known, { before, after, byCommand }) => {
    if (isOrdinary(before, after)) return known;
    const walk: Walk = { path: [], undoable, incidental: byCommand ? incidental : [], erased: [], set: [], reset: [] };
    compareMembers({ before, after, initial }, walk);
    if (walk.erased.length + walk.set.length + walk.reset.length === 0) return known;
    const erased = [...new Set([...known.erased, ...walk.erased])];
    const commanded = [...new Set([...known.commanded, ...walk.set])].filter(path => !walk.reset.includes(path));
    return erased.length + commanded.length === 0 ? nothingHidden : { erased, commanded };
  };
}

/**
 * Tells, without making anything, the steps that hide nothing: those that only changed plain values of records. It runs
 * for every step, and nearly every step is one of them.
 */
function createFilter(initial: JsonObject, incidental: readonly Segments[]) {
  const watched = new Map<string, readonly string[] | null>();
  const watchedIn = (table: string): readonly string[] | null => {
    const known = watched.get(table);
    if (known !== undefined) return known;
    const made = membersToWatch(table, initial[table], incidental);
    watched.set(table, made);
    return made;
  };
  return (before: JsonObject, after: JsonObject): boolean => {
    for (const key in after) {
      if (before[key] === after[key] || key === 'ui') continue;
      const members = watchedIn(key);
      if (members === null || !isPlainEdit(before[key], after[key], members)) return false;
    }
    for (const key in before) if (after[key] === undefined) return false;
    return true;
  };
}

/** Members of the records of a table that are more than plain values, or incidental; null when that cannot be told. */
function membersToWatch(
  table: string,
  records: Json | undefined,
  incidental: readonly Segments[],
): readonly string[] | null {
  if (!Array.isArray(records) || records.length === 0 || !(records as readonly Json[]).every(isJsonObject)) return null;
  const members = new Set<string>();
  for (const record of records as readonly JsonObject[]) {
    // What is null may become anything.
    for (const [key, value] of Object.entries(record)) if (typeof value === 'object') members.add(key);
  }
  for (const [first, , member] of incidental) {
    if (first !== table && first !== '*') continue;
    if (member === undefined || member === '*') return null;
    members.add(member);
  }
  return [...members];
}

/** Whether the records of a table are the same in the same places, apart from plain values. */
function isPlainEdit(before: Json | undefined, after: Json | undefined, members: readonly string[]): boolean {
  if (!Array.isArray(before) || !Array.isArray(after) || before.length !== after.length) return false;
  const { length } = after;
  for (let index = 0; index < length; index++) {
    const old = before[index] as JsonObject;
    const now = after[index] as JsonObject;
    if (old === now) continue;
    if (idOf(now) === undefined || idOf(old) !== idOf(now)) return false;
    for (const member of members) if (old[member] !== now[member]) return false;
  }
  return true;
}

interface Walk {
  readonly path: string[];
  readonly undoable: readonly Segments[];
  readonly incidental: readonly Segments[];
  readonly erased: string[];
  /** Incidental paths that differ from the start now, and those that are as they were at the start again. */
  readonly set: string[];
  readonly reset: string[];
}

/** The same place before a step, after it, and at the start of the task; undefined where it does not exist. */
interface Place<T extends Json = Json> {
  readonly before: T;
  readonly after: T;
  readonly initial: Json | undefined;
}

function compare({ before, after, initial }: Place, walk: Walk): void {
  if (before === after) return;
  if (Array.isArray(before) && Array.isArray(after)) return compareArrays({ before, after, initial }, walk);
  if (isJsonObject(before) && isJsonObject(after)) return compareMembers({ before, after, initial }, walk);
  noteIncidental(after, initial, walk);
}

function compareMembers({ before, after, initial }: Place<JsonObject>, walk: Walk): void {
  const start = isJsonObject(initial) ? initial : {};
  for (const key in after) {
    const [old, now] = [before[key], after[key] as Json];
    if (old === now || (key === 'ui' && walk.path.length === 0)) continue;
    walk.path.push(key);
    if (old !== undefined) compare({ before: old, after: now, initial: start[key] }, walk);
    else if (isJsonObject(now)) noteReturn(start[key], walk);
    walk.path.pop();
  }
  // A member that is no record is a value: to take it out is to put it back.
  for (const key in before) {
    if (after[key] === undefined && isJsonObject(before[key])) noteGone(key, start[key], walk);
  }
}

function compareArrays({ before, after, initial }: Place<readonly Json[]>, walk: Walk): void {
  const start = Array.isArray(initial) ? (initial as readonly Json[]) : [];
  if (compareInPlace({ before, after, initial: start }, walk)) return;
  const [old, now] = [recordsOf(before), recordsOf(after)];
  if (old === null || now === null) return noteIncidental(after, initial, walk);
  for (const [id, record] of now) {
    const known = old.get(id);
    walk.path.push(id);
    if (known === undefined) noteReturn(recordIn(start, id), walk);
    else compare({ before: known, after: record, initial: recordIn(start, id) }, walk);
    walk.path.pop();
  }
  for (const id of old.keys()) if (!now.has(id)) noteGone(id, recordIn(start, id), walk);
}

/** The common case: the same records in the same places. False when it is another one. */
function compareInPlace({ before, after, initial }: Place<readonly Json[]>, walk: Walk): boolean {
  if (before.length !== after.length) return false;
  const changed: number[] = [];
  for (let index = 0; index < before.length; index++) {
    if (before[index] === after[index]) continue;
    const id = idOf(after[index]);
    if (id === undefined || id !== idOf(before[index])) return false;
    changed.push(index);
  }
  for (const index of changed) {
    const id = idOf(after[index]) as string;
    const start = initial as readonly Json[];
    const place = { before: before[index] as Json, after: after[index] as Json };
    walk.path.push(id);
    compare({ ...place, initial: idOf(start[index]) === id ? start[index] : recordIn(start, id) }, walk);
    walk.path.pop();
  }
  return true;
}

/** What is gone now and was not there at the start has come and gone. */
function noteGone(name: string, initial: Json | undefined, walk: Walk): void {
  if (initial === undefined) noteErased([...walk.path, name], walk);
}

/** What has come and was there at the start had gone in between. */
function noteReturn(initial: Json | undefined, walk: Walk): void {
  if (initial !== undefined) noteErased(walk.path, walk);
}

function noteErased(path: Segments, { undoable, erased }: Walk): void {
  if (!undoable.some(pattern => covers(pattern, path))) erased.push(formatPath(path));
}

function noteIncidental(after: Json, initial: Json | undefined, { path, incidental, set, reset }: Walk): void {
  if (!incidental.some(pattern => covers(pattern, path))) return;
  const isAsAtStart = JSON.stringify(after) === JSON.stringify(initial);
  (isAsAtStart ? reset : set).push(formatPath(path));
}

/** The records of a table by id; null when it is no table. */
function recordsOf(items: readonly Json[]): ReadonlyMap<string, Json> | null {
  const records = new Map<string, Json>();
  for (const item of items) {
    const id = idOf(item);
    if (id === undefined) return null;
    records.set(id, item);
  }
  return records;
}

function recordIn(items: readonly Json[], id: string): Json | undefined {
  return items.find(item => idOf(item) === id);
}

function idOf(item: Json | undefined): string | undefined {
  const id = isJsonObject(item) ? item['id'] : undefined;
  return typeof id === 'string' ? id : undefined;
}
