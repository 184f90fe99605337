import { diff, type Change } from '../../../core/diff.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../core/json.ts';
import { covers, formatPath, isOnScreen, parsePath, type Segments } from '../../../core/path.ts';

/** One place in which a state differs from the one that the task asks for. */
export interface Difference {
  /** The place in general: ids are `*`, a record that was added is `+`. */
  readonly pattern: string;
  readonly what: string;
}

export interface Expected {
  readonly initial: Json;
  /** The state that a planned run ends in. */
  readonly gold: Json;
  readonly allow: readonly string[];
  readonly incidental: readonly string[];
}

/** Where a state differs from the gold one: ids of new records, their order, and what the task leaves open aside. */
export function differences({ initial, gold, allow, incidental }: Expected, final: Json): Difference[] {
  const [wanted, found] = [effectsOf(initial, gold), effectsOf(initial, final)];
  const open = [...allow.map(parsePath).filter(isBelowRecord), ...incidental.map(parsePath)];
  const all = [
    ...compareChanges(wanted.changes, found.changes),
    ...[...new Set([...wanted.added.keys(), ...found.added.keys()])].flatMap(table =>
      compareAdded(table, wanted.added.get(table) ?? [], found.added.get(table) ?? []),
    ),
  ];
  return all.filter(({ pattern }) => !open.some(free => covers(free.map(anyRecord), parsePath(pattern))));
}

/** A path that goes on below a new record, `/orders/+/delivery`, says that the task leaves that member open. */
function isBelowRecord(pattern: Segments): boolean {
  return pattern.slice(0, -1).includes('+');
}

function anyRecord(segment: string): string {
  return segment === '+' ? '*' : segment;
}

interface Effects {
  /** Values that were changed and records that were removed, by path. */
  readonly changes: ReadonlyMap<string, string>;
  /** Records that were added, by table; new ids in them are replaced by the name of their table. */
  readonly added: ReadonlyMap<string, readonly JsonObject[]>;
}

function effectsOf(initial: Json, final: Json): Effects {
  const all = diff(initial, final).filter(({ path }) => !isOnScreen(path));
  const names = new Map(all.filter(isNewRecord).map(({ path }) => [parsePath(path).at(-1) ?? '', tableOf(path)]));
  const changes = new Map<string, string>();
  const added = new Map<string, JsonObject[]>();
  for (const change of all) {
    if (!isNewRecord(change)) {
      changes.set(change.path, change.op === 'remove' ? 'removed' : JSON.stringify(renamed(change.value, names)));
      continue;
    }
    const record = renamed(change.value, names) as JsonObject;
    added.set(tableOf(change.path), [...(added.get(tableOf(change.path)) ?? []), record]);
  }
  return { changes, added };
}

type NewRecord = Extract<Change, { op: 'add' }> & { readonly value: JsonObject };

function isNewRecord(change: Change): change is NewRecord {
  return change.op === 'add' && isJsonObject(change.value);
}

function tableOf(path: string): string {
  return formatPath(parsePath(path).slice(0, -1));
}

function renamed(value: Json, names: ReadonlyMap<string, string>): Json {
  if (typeof value === 'string') return names.has(value) ? `a new record of ${names.get(value) ?? ''}` : value;
  if (Array.isArray(value)) return value.map(item => renamed(item as Json, names));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, renamed(member, names)]));
}

function compareChanges(wanted: Effects['changes'], found: Effects['changes']): Difference[] {
  const paths = [...new Set([...wanted.keys(), ...found.keys()])];
  return paths.flatMap(path => {
    const [right, now] = [wanted.get(path), found.get(path)];
    if (right === now) return [];
    const what = `${path} ${now === undefined ? 'as it was' : `= ${now}`}, not ${right ?? 'as it was'}`;
    return [{ pattern: generalised(path), what }];
  });
}

/** Ids contain digits; names of members do not. */
function generalised(path: string): string {
  return formatPath(parsePath(path).map((segment, index) => (index > 0 && /\d/.test(segment) ? '*' : segment)));
}

function compareAdded(table: string, wanted: readonly JsonObject[], found: readonly JsonObject[]): Difference[] {
  const texts = (records: readonly JsonObject[]): string[] => records.map(record => JSON.stringify(record));
  const [right, now] = [texts(wanted), texts(found)];
  const missing = wanted.filter((_, index) => !now.includes(right[index] as string));
  const extra = found.filter((_, index) => !right.includes(now[index] as string));
  if (found.length !== wanted.length) {
    const what = `${found.length} records added to ${table}, not ${wanted.length}`;
    return [{ pattern: `${table}/+`, what }];
  }
  return extra.flatMap((record, index) => compareRecords(table, missing[index] ?? {}, record));
}

function compareRecords(table: string, wanted: JsonObject, found: JsonObject): Difference[] {
  const keys = [...new Set([...Object.keys(wanted), ...Object.keys(found)])];
  return keys.flatMap(key => {
    const [right, now] = [JSON.stringify(wanted[key]), JSON.stringify(found[key])];
    if (right === now) return [];
    return [{ pattern: `${table}/+/${key}`, what: `${table}/+/${key} = ${now ?? 'nothing'}, not ${right ?? 'set'}` }];
  });
}
