import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import { singularOf } from '../../core/text.ts';

export type Row = JsonObject & { readonly id: string };

/** A record of a table, with the record that its table lies in. */
export interface RecordPlace {
  readonly table: string;
  readonly row: Row;
  readonly owner: Row | null;
}

/** All records of one kind; those of a table inside of records are joined: `orders/lines`. */
export interface Table {
  readonly name: string;
  readonly noun: string;
  readonly places: readonly RecordPlace[];
  /** Members that screens show, where records have no name: they tell records apart. */
  readonly telling?: readonly TellingMember[];
  /** Members that a call changes: they name no record that it is about. */
  readonly changing?: ReadonlySet<string>;
  /** What was found out about the table, so that it is found out once. */
  readonly known: { nameMember?: string };
}

/** A member that screens show, and how they write it. */
interface TellingMember {
  readonly field: string;
  write(value: Json): string;
}

export type Tables = ReadonlyMap<string, Table>;

/** The tables of a state by name, what is on the screen aside. */
export function readTables(state: JsonObject): Tables {
  const tables = new Map<string, Table>();
  for (const [name, value] of Object.entries(state)) {
    if (name === 'ui' || !isTable(value)) continue;
    tables.set(name, {
      name,
      noun: nounOf(name),
      places: value.map(row => ({ table: name, row, owner: null })),
      known: {},
    });
    for (const member of membersThatAreTables(value)) {
      const nested = `${name}/${member}`;
      const places = value.flatMap(owner => {
        const inner = owner[member];
        return isTable(inner) ? inner.map(row => ({ table: nested, row, owner })) : [];
      });
      tables.set(nested, { name: nested, noun: nounOf(member), places, known: {} });
    }
  }
  return tables;
}

function membersThatAreTables(rows: readonly Row[]): string[] {
  const names = new Set<string>();
  for (const row of rows) for (const [key, value] of Object.entries(row)) if (isTable(value)) names.add(key);
  return [...names];
}

function isTable(value: Json | undefined): value is readonly Row[] {
  return Array.isArray(value) && value.length > 0 && isJsonObject(value[0]) && typeof value[0]['id'] === 'string';
}

/** What one record is called: `addresses` gives "address", `cart` gives "cart item", `staff` "staff member". */
function nounOf(table: string): string {
  const words = inWords(table);
  return singularOf(words) ?? `${words} ${/(?:^| )(?:staff|crew|team|personnel)$/.test(words) ? 'member' : 'item'}`;
}

/** A name of the code in words: `dueDate` and `due_date` give "due date". */
export function inWords(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .toLowerCase();
}

/** The records with this id: several, when tables number their records alike. */
export function recordsWithId(tables: Tables, id: string): RecordPlace[] {
  return [...tables.values()].flatMap(({ places }) => places.filter(({ row }) => row.id === id));
}

/** Members whose texts are at least this long on average hold prose, such as the body of a message. */
const proseLength = 45;

/** The member of records that holds prose; null when none does. */
export function proseMember(places: readonly RecordPlace[]): string | null {
  const rows = places.map(({ row }) => row);
  const [first] = rows;
  if (first === undefined) return null;
  const lengthOf = (key: string): number =>
    rows.reduce((sum, row) => sum + (typeof row[key] === 'string' ? row[key].length : 0), 0) / rows.length;
  const keys = Object.keys(first).filter(key => rows.every(row => typeof row[key] === 'string'));
  const [longest] = keys.toSorted((left, right) => lengthOf(right) - lengthOf(left));
  return longest !== undefined && lengthOf(longest) >= proseLength ? longest : null;
}
