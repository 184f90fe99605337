import { patch } from '../../core/diff.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { formatPath } from '../../core/path.ts';
import { createRandom } from '../../core/random.ts';
import { createScreen } from '../../core/ui.ts';
import type { App } from '../../worlds/app/app.ts';
import { drawn } from '../../worlds/screen.ts';
import { nameMember, nameRecord } from '../data/record-names.ts';
import { readTables, recordsWithId, type RecordPlace, type Row, type Tables } from '../data/tables.ts';
import { walkScreens, type Seen } from './screen-walk.ts';

/** How a value is written on screens. */
export const formats = {
  plain: (value: Json) => String(value),
  hundredths: (value: Json) => (Number(value) / 100).toFixed(2),
  tenths: (value: Json) => (Number(value) / 10).toFixed(1),
} as const;
type Format = keyof typeof formats;

/** A member of the records of a table that screens show. */
export interface ShownField {
  readonly table: string;
  readonly field: string;
  readonly format: Format;
  readonly isOrdered: boolean;
}

/** The members that screens show, and of which records. */
export interface ShownFields {
  readonly fields: readonly ShownField[];
  /** Whether some screen shows the member of a record with these values: a stock of 3 may be shown, one of 40 not. */
  showsIn(field: ShownField, row: Row): boolean;
}

/** A screen on which the member of a record was shown. */
interface Witness<S extends JsonObject> {
  readonly state: S;
  readonly tables: Tables;
  readonly place: RecordPlace;
}

const steps = 220;
const proofs = 2;
const mostWitnesses = 4;
const mostTries = 14;
const recordsPerScreen = 6;

/** Finds out which members screens show, and how: what is shown looks different when its value is another one. */
export function findShownFields<S extends JsonObject>(app: App<S>, worlds: readonly S[]): ShownFields {
  const proven = new Map<string, Witness<S>[]>();
  const tries = new Map<string, number>();
  for (const [index, start] of worlds.slice(0, 2).entries()) {
    const tables = readTables(start);
    const named = namedPlaces(tables);
    const nameless = namelessPlaces(tables);
    const walk = walkScreens(app, { start, random: createRandom(`screens of ${app.id} ${index}`), steps });
    for (const seen of walk) {
      for (const { place, fields } of [
        ...named.filter(({ name }) => seen.text.includes(name)).slice(0, recordsPerScreen),
        ...nameless.slice(0, recordsPerScreen),
      ]) {
        for (const field of fields) {
          const key = `${place.table} ${field}`;
          if ((tries.get(key) ?? 0) >= mostTries) continue;
          tries.set(key, (tries.get(key) ?? 0) + 1);
          const format = shownFormat(app, seen, { tables, place, field });
          if (format === null) continue;
          const witnesses = proven.get(`${key} ${format}`) ?? [];
          proven.set(`${key} ${format}`, [...witnesses, { state: seen.state, tables, place }]);
        }
      }
    }
  }
  const start = readTables(worlds[0] as S);
  const fields = [...proven].flatMap(([key, witnesses]) => {
    const [table, field, format] = key.split(' ') as [string, string, Format];
    if (witnesses.length < proofs) return [];
    const values = start.get(table)?.places.map(({ row }) => row[field]) ?? [];
    const isOrdered = values.every(value => typeof value === 'number') || values.every(isDate);
    return [{ table, field, format, isOrdered }];
  });
  return {
    fields,
    showsIn(shown, row) {
      const witnesses = proven.get(`${shown.table} ${shown.field} ${shown.format}`) ?? [];
      return witnesses.slice(0, mostWitnesses).some(witness => showsWith(app, witness, { shown, row }));
    },
  };
}

/** Whether the screen would show the member if its record had the values of another one. */
function showsWith<S extends JsonObject>(
  app: App<S>,
  { state, tables, place }: Witness<S>,
  { shown, row }: { shown: ShownField; row: Row },
): boolean {
  const { table, field, format } = shown;
  const value = row[field];
  const known = tables.get(table);
  const instead = known?.places.find(other => other.row[field] !== value && typeof other.row[field] === typeof value)
    ?.row[field];
  if (value === undefined || value === null || instead === undefined) return false;
  const kept = new Set(['id', known === undefined ? null : nameMember(tables, known)]);
  const isLink = (member: Json | undefined): boolean =>
    typeof member === 'string' && recordsWithId(tables, member).length > 0;
  const given = Object.entries(row).filter(
    ([key, member]) => !kept.has(key) && typeof member !== 'object' && !isLink(member) && !isLink(place.row[key]),
  );
  const changed = { ...place.row, ...Object.fromEntries(given) } as Row;
  const [now, without] = [changed, { ...changed, [field]: instead } as Row].map(other => {
    try {
      const path = formatPath([table, place.row.id]);
      const replaced = patch(state, [{ op: 'replace', path, before: place.row, value: other }]) as S;
      return createScreen(drawn(app, replaced)).text;
    } catch {
      // A view that cannot draw such a record shows nothing of it.
      return null;
    }
  });
  const text = formats[format](value);
  return typeof now === 'string' && typeof without === 'string' && timesIn(now, text) > timesIn(without, text);
}

function isDate(value: Json | undefined): boolean {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value);
}

interface NamedPlace {
  readonly place: RecordPlace;
  readonly name: string;
  readonly fields: readonly string[];
}

function namedPlaces(tables: Tables): NamedPlace[] {
  return [...tables.values()].flatMap(({ places }) =>
    places.flatMap(place => {
      const name = place.owner === null ? nameRecord(tables, place) : null;
      return name === null ? [] : [{ place, name: name.text, fields: fieldsOf(tables, place) }];
    }),
  );
}

/** Records without a name, in tables of their own: what screens show of them tells them apart. */
function namelessPlaces(tables: Tables): NamedPlace[] {
  return [...tables.values()].flatMap(({ places }) =>
    places.flatMap(place =>
      place.owner === null && nameRecord(tables, place) === null
        ? [{ place, name: '', fields: fieldsOf(tables, place) }]
        : [],
    ),
  );
}

/** Members with plain values that are no names and no links. */
function fieldsOf(tables: Tables, { table, row }: RecordPlace): string[] {
  const known = tables.get(table);
  const name = known === undefined ? null : nameMember(tables, known);
  return Object.entries(row)
    .filter(([key, value]) => key !== 'id' && key !== name && (typeof value === 'string' || typeof value === 'number'))
    .filter(([, value]) => value !== '' && String(value).length <= 40 && !/["\n]/.test(String(value)))
    .filter(([, value]) => typeof value === 'number' || recordsWithId(tables, value as string).length === 0)
    .map(([key]) => key);
}

interface Shown {
  readonly tables: Tables;
  readonly place: RecordPlace;
  readonly field: string;
}

/** In which format this screen shows the member; null when it does not. */
function shownFormat<S extends JsonObject>(app: App<S>, { state, text }: Seen<S>, shown: Shown): Format | null {
  const { place, field, tables } = shown;
  const value = place.row[field] as Json;
  const other = tables.get(place.table)?.places.find(({ row }) => row[field] !== value && row[field] !== null);
  const instead = other?.row[field];
  if (instead === undefined || typeof instead !== typeof value) return null;
  const candidates = (typeof value === 'number' ? ['plain', 'hundredths', 'tenths'] : ['plain']) as Format[];
  const present = candidates.filter(format => text.includes(formats[format](value)));
  if (present.length === 0) return null;
  const without = screenWith(app, state, { place, field, value, instead });
  if (without === null) return null;
  return (
    present.find(format => timesIn(text, formats[format](value)) > timesIn(without, formats[format](value))) ?? null
  );
}

interface Replacement {
  readonly place: RecordPlace;
  readonly field: string;
  readonly value: Json;
  readonly instead: Json;
}

function screenWith<S extends JsonObject>(app: App<S>, state: S, replacement: Replacement): string | null {
  const { place, field, value, instead } = replacement;
  try {
    const path = formatPath([place.table, place.row.id, field]);
    return createScreen(drawn(app, patch(state, [{ op: 'replace', path, before: value, value: instead }]) as S)).text;
  } catch {
    return null;
  }
}

/** How often a value stands in a text by itself: the 0 in 5.00 is none. */
function timesIn(text: string, value: string): number {
  const escaped = value.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const alone = new RegExp(String.raw`(?<![\p{L}\p{N}]|\d[.,])${escaped}(?![\p{L}\p{N}]|[.,]\d)`, 'gu');
  return text.match(alone)?.length ?? 0;
}

/** Tells which of some records a screen shows with a member: it must look different when that had another value. */
export function createFieldEvidence<S extends JsonObject>(
  app: App<S>,
  initial: S,
  { table, field, format, ids }: Pick<ShownField, 'table' | 'field' | 'format'> & { readonly ids: readonly string[] },
): (state: S) => readonly boolean[] {
  const tables = readTables(initial);
  const places = tables.get(table)?.places ?? [];
  const wanted = ids.map(id => {
    const place = places.find(({ row }) => row.id === id);
    const name = place === undefined ? null : nameRecord(tables, place);
    const value = place?.row[field];
    const instead = places.find(({ row }) => row[field] !== value && typeof row[field] === typeof value)?.row[field];
    if (place === undefined || name === null || value === undefined || instead === undefined) return null;
    return { place, field, value, instead, name: name.text, text: formats[format](value) };
  });
  return state => {
    const screen = createScreen(drawn(app, state)).text;
    return wanted.map(shown => {
      if (shown === null || !screen.includes(shown.name) || !screen.includes(shown.text)) return false;
      const without = screenWith(app, state, shown);
      return without !== null && timesIn(screen, shown.text) > timesIn(without, shown.text);
    });
  };
}
