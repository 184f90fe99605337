import type { Json, JsonObject } from '../../core/json.ts';
import type { Random } from '../../core/random.ts';
import { recordsWithId, type RecordPlace, type Tables } from '../data/tables.ts';
import type { InputMember } from './members.ts';
import { drawFrom, type Source } from './sources.ts';

/**
 * What a member of an input is to the reader of an instruction: records are named, texts are written out, flags are
 * said in words; what is kept as it was, or left out, is not mentioned.
 */
type MemberRole = 'record' | 'records' | 'text' | 'flag' | 'kept' | 'left-out';

export interface DrawnMember {
  readonly key: string;
  readonly role: MemberRole;
  readonly value: Json;
  readonly places: readonly RecordPlace[];
  readonly source: Source | null;
}

export interface DrawnInput {
  readonly members: readonly DrawnMember[];
  /** The input as it was given to the command. */
  readonly given: JsonObject;
  /** The texts in it that were made up or chosen. */
  readonly texts: readonly string[];
}

export interface Drawing {
  readonly tables: Tables;
  readonly random: Random;
  readonly weights: ReadonlyMap<string, ReadonlyMap<Source, number>>;
  readonly choices: ReadonlyMap<string, readonly string[]>;
  readonly home: string | null;
  /** Members whose values are most likely ids of records. */
  readonly recordKeys: ReadonlySet<string>;
}

const optionalShare = 0.35;
const draws = 8;

/** Draws a value for each member; null when the schema takes none of what was drawn for one of them. */
export function drawInput(members: readonly InputMember[], drawing: Drawing): DrawnInput | null {
  const { random } = drawing;
  const drawn = new Map<string, DrawnMember>();
  const wanted = members.filter(({ optional }) => !optional || random.chance(optionalShare));
  const [first, later] = [
    wanted.filter(({ key }) => drawing.recordKeys.has(key)),
    wanted.filter(({ key }) => !drawing.recordKeys.has(key)),
  ];
  for (const member of first) {
    const value = drawLinked(member, targetOf(drawn), drawing) ?? drawMember(member, drawing);
    if (value === null) return null;
    drawn.set(member.key, withinOwner(value, drawn));
  }
  const target = targetOf(drawn);
  const changing = changedMembers(later, target, random);
  for (const member of later) {
    const kept = target !== null && !changing.has(member.key) ? keptValue(member, target) : null;
    const value = kept ?? drawAnother(member, target, drawing);
    if (value === null) return null;
    drawn.set(member.key, value);
  }
  const all = members.map(({ key }) => drawn.get(key) ?? leftOut(key));
  const said = all.filter(({ role }) => role !== 'left-out');
  return {
    members: all,
    given: Object.fromEntries(said.map(({ key, value }) => [key, value])),
    texts: said.flatMap(({ value }) => (typeof value === 'string' ? [value] : [])),
  };
}

function leftOut(key: string): DrawnMember {
  return { key, role: 'left-out', value: null, places: [], source: null };
}

/** Members whose values are most likely ids of records. */
export function recordKeysOf(members: readonly InputMember[], weights: Drawing['weights']): ReadonlySet<string> {
  const found = members.filter(({ key, kind }) => {
    if (kind !== 'text' && kind !== 'list') return false;
    const [best] = [...(weights.get(key) ?? [])].toSorted(([, left], [, right]) => right - left);
    return best?.[0].startsWith('ids:') === true;
  });
  return new Set(found.map(({ key }) => key));
}

const linkedShare = 0.4;

/** A record that the target points to: what is unlinked must be linked. */
function drawLinked(
  { key, kind, accepts }: InputMember,
  target: RecordPlace | null,
  { tables, random }: Drawing,
): DrawnMember | null {
  if (target === null || kind !== 'text' || !random.chance(linkedShare)) return null;
  const ids = Object.values(target.row).flatMap(value => (Array.isArray(value) ? (value as readonly Json[]) : [value]));
  const linked = ids.filter(id => typeof id === 'string' && id !== target.row.id);
  const [place] = linked.length === 0 ? [] : recordsWithId(tables, random.pick(linked) as string);
  if (place === undefined || !accepts(place.row.id)) return null;
  return { key, role: 'record', value: place.row.id, places: [place], source: null };
}

/** The record that a command is about: the first that its input names. */
function targetOf(drawn: ReadonlyMap<string, DrawnMember>): RecordPlace | null {
  for (const { role, places } of drawn.values()) if (role === 'record') return places[0] ?? null;
  return null;
}

/** Of the members that the record has already, one or two are changed; all when only one is there. */
function changedMembers(
  members: readonly InputMember[],
  target: RecordPlace | null,
  random: Random,
): ReadonlySet<string> {
  const keys = members.map(({ key }) => key);
  const own = keys.filter(key => target !== null && target.row[key] !== undefined);
  const changed = random.sample(own, random.between(1, 2));
  return new Set([...keys.filter(key => !own.includes(key)), ...changed]);
}

function keptValue({ key, accepts }: InputMember, { row }: RecordPlace): DrawnMember | null {
  const value = row[key];
  if (value === undefined) return null;
  const fitting = [value, value === null ? '' : String(value)].find(accepts);
  return fitting === undefined ? null : { key, role: 'kept', value: fitting, places: [], source: null };
}

/** A value that differs from what the record has. */
function drawAnother(member: InputMember, target: RecordPlace | null, drawing: Drawing): DrawnMember | null {
  const now = target?.row[member.key];
  for (let attempt = 0; attempt < draws; attempt++) {
    const drawn = drawMember(member, drawing);
    if (drawn !== null && (now === undefined || drawn.value !== now)) return drawn;
  }
  return null;
}

function drawMember(member: InputMember, drawing: Drawing): DrawnMember | null {
  const { random } = drawing;
  const { key, kind, choices, least, most } = member;
  const plain = (role: MemberRole, value: Json): DrawnMember | null =>
    member.accepts(value) ? { key, role, value, places: [], source: null } : null;
  switch (kind) {
    case 'boolean':
      return plain('flag', random.chance(0.5));
    case 'choice':
      return plain('text', random.pick(choices));
    case 'number':
      return plain('text', random.between(least ?? 1, Math.max(least ?? 1, Math.min(most ?? 12, (least ?? 1) + 12))));
    case 'list':
      return drawList(member, drawing);
    case 'text':
      return drawText(member, drawing);
    default:
      return null;
  }
}

function drawText(member: InputMember, drawing: Drawing): DrawnMember | null {
  for (let attempt = 0; attempt < draws; attempt++) {
    const source = weighted(drawing.weights.get(member.key), drawing.random);
    const context = { ...drawing, member, choices: drawing.choices.get(member.key) ?? [] };
    const drawn = source === null ? null : drawFrom(source, context);
    if (source === null || drawn === null || !member.accepts(drawn.value)) continue;
    // A value that is the id of a record stands for that record, wherever it was found.
    const [named = null] = source === 'values' || source === 'new' ? recordsWithId(drawing.tables, drawn.value) : [];
    const isRecord = source.startsWith('ids:') || named !== null;
    const place = named ?? drawn.place;
    const places = isRecord && place !== null ? [place] : [];
    return { key: member.key, role: isRecord ? 'record' : 'text', value: drawn.value, places, source };
  }
  return null;
}

function drawList(member: InputMember, drawing: Drawing): DrawnMember | null {
  const source = weighted(drawing.weights.get(member.key), drawing.random);
  if (source === null) return null;
  const context = { ...drawing, member, choices: drawing.choices.get(member.key) ?? [] };
  const places = new Map<string, RecordPlace | null>();
  const size = drawing.random.between(1, 2);
  for (let attempt = 0; attempt < draws && places.size < size; attempt++) {
    const drawn = drawFrom(source, context);
    if (drawn !== null) places.set(drawn.value, drawn.place);
  }
  const value = [...places.keys()];
  if (value.length === 0 || !member.accepts(value)) return null;
  const found = [...places.values()].filter(place => place !== null);
  return { key: member.key, role: source.startsWith('ids:') ? 'records' : 'text', value, places: found, source };
}

/** A record of a table inside of records is taken from the one that the input names already. */
function withinOwner(member: DrawnMember, drawn: ReadonlyMap<string, DrawnMember>): DrawnMember {
  const [place] = member.places;
  if (place === undefined || place.owner === null || member.role !== 'record') return member;
  const owners = [...drawn.values()].flatMap(({ places }) => places.map(({ row }) => row));
  const owner = owners.find(
    row => row !== place.owner && Object.keys(row).join() === Object.keys(place.owner ?? {}).join(),
  );
  if (owner === undefined) return member;
  const inner = owner[place.table.slice(place.table.indexOf('/') + 1)];
  if (!Array.isArray(inner)) return member;
  const row = (inner as readonly RecordPlace['row'][]).find(({ id }) => id === member.value);
  return row === undefined ? member : { ...member, places: [{ table: place.table, row, owner }] };
}

function weighted(weights: ReadonlyMap<Source, number> | undefined, random: Random): Source | null {
  if (weights === undefined || weights.size === 0) return null;
  let left = random.next() * [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  for (const [source, weight] of weights) {
    left -= weight;
    if (left <= 0) return source;
  }
  return [...weights.keys()].at(-1) ?? null;
}
