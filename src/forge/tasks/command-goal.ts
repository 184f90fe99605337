import { diff, type Change } from '../../core/diff.ts';
import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import { formatPath, isOnScreen, parsePath, type Segments } from '../../core/path.ts';
import { valueAt } from '../../core/value-at.ts';
import type { App } from '../../worlds/app/app.ts';
import { execute } from '../../worlds/execute.ts';
import type { Check } from '../../worlds/app/template.ts';
import { inWords } from '../data/tables.ts';

/** A call as it stands in the parameters of a task. */
export interface TaskCall {
  readonly command: string;
  readonly input: JsonObject;
}

/** What must hold after some calls, and what may change on the way. */
export interface CommandGoal<S extends JsonObject> {
  readonly checks: readonly Check<S>[];
  readonly allow: readonly string[];
}

/** The state that calls lead to, taken one after the other; null when one of them is refused. */
export function stateAfter<S extends JsonObject>(app: App<S>, start: S, calls: readonly TaskCall[]): S | null {
  let state = start;
  for (const { command: name, input } of calls) {
    const command = app.commands.find(known => known.name === name);
    if (command === undefined) return null;
    const { state: next, outcome } = execute(app, state, { command, input, byHand: false });
    if (!outcome.applied) return null;
    state = next;
  }
  return state;
}

/** The goal is the difference that the calls make in the initial state: all of it, and nothing else. */
export function goalOfDifference<S extends JsonObject>(initial: S, wanted: S): CommandGoal<S> {
  const changes = diff(initial, wanted).filter(({ path }) => !isOnScreen(path));
  const added = changes.filter(isNewRecord);
  const tables = [...new Set(added.map(({ path }) => tableOf(path)))];
  return {
    checks: [
      ...changes.filter(change => !isNewRecord(change)).map(change => checkOf<S>(change)),
      ...tables.map(table => checkOfAdded(table, initial, wanted)),
    ],
    allow: [
      ...changes.filter(change => !isNewRecord(change)).map(({ path }) => path),
      ...tables.map(table => `${table}/+`),
    ],
  };
}

type NewRecord = Extract<Change, { op: 'add' }> & { readonly value: JsonObject };

function isNewRecord(change: Change): change is NewRecord {
  return change.op === 'add' && isJsonObject(change.value) && typeof change.value['id'] === 'string';
}

function tableOf(path: string): string {
  return formatPath(parsePath(path).slice(0, -1));
}

function checkOf<S extends JsonObject>(change: Change): Check<S> {
  const segments = parsePath(change.path);
  const wanted = change.op === 'remove' ? undefined : JSON.stringify(change.value);
  const what = wanted === undefined ? 'is gone' : `is ${wanted}`;
  return {
    id: `${generalName(segments)}${wanted === undefined ? '-gone' : ''}`,
    name: `${change.path} ${what}`,
    test: final => JSON.stringify(valueAt(final, segments)) === wanted,
  };
}

/** Names of members without ids of records: the same for every seed. */
function generalName(segments: Segments): string {
  const names = segments.filter((segment, index) => index === 0 || /^[a-z][A-Za-z]*$/.test(segment));
  return names.map(name => inWords(name).replaceAll(' ', '-')).join('-');
}

/** Whatever ids they got: exactly the wanted records were added to the table. */
function checkOfAdded<S extends JsonObject>(table: string, initial: S, wanted: S): Check<S> {
  const segments = parsePath(table);
  const before = new Set(rowsAt(initial, segments).map(idOf));
  const texts = (state: S): string[] => {
    const rows = rowsAt(state, segments).filter(row => !before.has(idOf(row)));
    const fresh = new Set(rows.map(idOf));
    return rows.map(row => JSON.stringify(withoutNewIds(row, fresh))).toSorted();
  };
  const right = texts(wanted);
  const count = right.length === 1 ? 'exactly one record was' : `exactly ${right.length} records were`;
  return {
    id: `${generalName(segments)}-added`,
    name: `${count} added to ${table}, as asked for`,
    test(final) {
      const now = texts(final);
      return now.length === right.length && now.every((text, index) => text === right[index]);
    },
  };
}

function idOf(row: JsonObject): string {
  return String(row['id']);
}

function withoutNewIds(value: Json, ids: ReadonlySet<string>): Json {
  if (typeof value === 'string') return ids.has(value) ? '(new)' : value;
  if (Array.isArray(value)) return (value as readonly Json[]).map(item => withoutNewIds(item, ids));
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(members.map(([key, member]) => [key, withoutNewIds(member, ids)]));
}

function rowsAt(state: JsonObject, segments: Segments): JsonObject[] {
  const rows = valueAt(state, segments);
  return Array.isArray(rows) ? (rows as readonly Json[]).filter(isJsonObject) : [];
}
