import { recordsWithId, type RecordPlace, type Row, type Table, type Tables } from './tables.ts';
import type { Json } from '../../core/json.ts';

/** How an instruction names a record so that nobody can mistake it for another one. */
export interface RecordName {
  readonly noun: string;
  /** The text that stands for it on screen. */
  readonly text: string;
  /** A number that people use for it, such as CORE-41; it stands on screen, too. */
  readonly code: string | null;
  /** What the record is called to which this one points, where the text is that one's; else null. */
  readonly borrowedFrom: string | null;
  /** Members that tell it apart, where it has no name: the text is their values then. */
  readonly by: readonly { readonly member: string; readonly value: Json; readonly text: string }[];
  /** The name of the record that it belongs to. */
  readonly of: { readonly noun: string; readonly text: string } | null;
}

const preferred = ['name', 'title', 'subject', 'label', 'headline', 'text'];
const longestName = 80;
/** Share of the records that a member must tell apart to serve as a name. */
const tellsApart = 0.6;
const nearlyAll = 0.95;

/** The name of a record; null when it has none, or shares it with another record. */
export function nameRecord(tables: Tables, place: RecordPlace): RecordName | null {
  return nameWithin(tables, place, 2);
}

function nameWithin(tables: Tables, place: RecordPlace, depth: number): RecordName | null {
  const table = tables.get(place.table);
  if (table === undefined) return null;
  const of = place.owner === null ? null : ownerName(tables, place);
  if (place.owner !== null && of === null) return null;
  const siblings = table.places.filter(({ owner }) => owner === place.owner);
  const code = isReadableId(place.row.id) ? place.row.id : null;
  const own = ownText(tables, { table, place, siblings });
  const linked = own === null ? linkedName(tables, { table, place, siblings, depth }) : null;
  const text = own ?? linked?.text ?? null;
  if (text === null && code === null) {
    const by = tellingValues({ table, place, siblings });
    const [first] = by ?? [];
    if (by === null || first === undefined) return null;
    return { noun: table.noun, text: first.text, code: null, borrowedFrom: null, by, of };
  }
  const borrowedFrom = linked === null ? null : (linked.borrowedFrom ?? linked.noun);
  return { noun: table.noun, text: text ?? (code as string), code, borrowedFrom, by: [], of };
}

function ownerName(tables: Tables, { owner, table }: RecordPlace): RecordName['of'] {
  const parent = table.slice(0, table.indexOf('/'));
  const name = nameWithin(tables, { table: parent, row: owner as Row, owner: null }, 1);
  return name === null ? null : { noun: name.noun, text: name.code ?? name.text };
}

interface Naming {
  readonly table: Table;
  readonly place: RecordPlace;
  readonly siblings: readonly RecordPlace[];
}

/** A text of the record itself that no sibling has. */
function ownText(tables: Tables, { table, place, siblings }: Naming): string | null {
  const key = nameMember(tables, table);
  const text = key === null ? undefined : place.row[key];
  if (key === null || typeof text !== 'string' || !isNameable(text)) return null;
  const same = siblings.filter(({ row }) => String(row[key]).toLowerCase() === text.toLowerCase());
  return same.length === 1 ? text : null;
}

/** One member that no sibling shares, or two: what tells a record without a name apart on a screen. */
function tellingValues({ table, place, siblings }: Naming): RecordName['by'] | null {
  const valued = (table.telling ?? []).flatMap(({ field, write }) => {
    const value = place.row[field];
    if (value === undefined || value === null || typeof value === 'object' || String(value) === '') return [];
    return [{ member: field, value, text: write(value) }];
  });
  const tellsApartBy = (members: RecordName['by']): boolean =>
    siblings.filter(({ row }) => members.every(({ member, value }) => row[member] === value)).length === 1;
  const one = valued.find(member => tellsApartBy([member]));
  if (one !== undefined) return [one];
  for (const [index, left] of valued.entries())
    for (const right of valued.slice(index + 1)) if (tellsApartBy([left, right])) return [left, right];
  return null;
}

/** A record without a text of its own goes by the record it points to: a cart item by its product. */
function linkedName(tables: Tables, { table, place, siblings, depth }: Naming & { depth: number }): RecordName | null {
  if (depth === 0) return null;
  for (const [key, value] of Object.entries(place.row)) {
    if (key === 'id' || typeof value !== 'string' || table.changing?.has(key) === true) continue;
    const [target] = recordsWithId(tables, value);
    if (target === undefined || target.row === place.row) continue;
    if (siblings.filter(({ row }) => row[key] === value).length !== 1) continue;
    const name = nameWithin(tables, target, depth - 1);
    if (name !== null) return name;
  }
  return null;
}

/** The member that tells the records of a table apart for people. */
export function nameMember(tables: Tables, table: Table): string | null {
  const { known } = table;
  known.nameMember ??= findNameMember(tables, table) ?? '';
  return known.nameMember === '' ? null : known.nameMember;
}

function findNameMember(tables: Tables, { places }: Table): string | null {
  const rows = places.map(({ row }) => row);
  const [first] = rows;
  if (first === undefined) return null;
  const keys = Object.keys(first).filter(key => key !== 'id' && rows.every(row => isText(row[key])));
  const telling = keys
    .map((key, position) => ({ key, position, share: distinctShare(rows, key) }))
    .filter(
      ({ key, share }) =>
        share >= tellsApart && !isLink(tables, rows, key) && !isDateLike(rows, key) && !isStateLike(rows, key),
    );
  const rank = ({ key, position, share }: { key: string; position: number; share: number }): number =>
    (preferred.includes(key) ? preferred.indexOf(key) - 100 : position) - (share > nearlyAll ? 1000 : 0);
  return telling.toSorted((left, right) => rank(left) - rank(right))[0]?.key ?? null;
}

function isText(value: Json | undefined): boolean {
  return typeof value === 'string';
}

function distinctShare(rows: readonly Row[], key: string): number {
  return new Set(rows.map(row => String(row[key]).toLowerCase())).size / rows.length;
}

function isLink(tables: Tables, rows: readonly Row[], key: string): boolean {
  const some = rows.slice(0, 3).map(row => String(row[key]));
  return some.every(value => recordsWithId(tables, value).length > 0);
}

function isDateLike(rows: readonly Row[], key: string): boolean {
  return rows.slice(0, 3).every(row => /^\d{4}-\d\d-\d\d/.test(String(row[key])));
}

/** "Calm" and "nervous" say how a record is: they name none, however few records there are. */
function isStateLike(rows: readonly Row[], key: string): boolean {
  const isState = /(?:mood|state|status|condition|severity|priority|stage|phase|result|outcome|role|shift)$/i.test(key);
  return isState && rows.every(row => /^\p{Ll}+(?:[ -]\p{Ll}+)?$/u.test(String(row[key])));
}

/** Ids that people read: SO-20418, CORE-41, SAVE10. */
function isReadableId(id: string): boolean {
  return /^[A-Z]{2,}[A-Z0-9]*(?:-\d+)?$/.test(id);
}

/** Texts that can be quoted on one line. */
function isNameable(text: string): boolean {
  return text.trim() !== '' && text.length <= longestName && !/["\n]/.test(text);
}
