import type { Random } from '../../core/random.ts';
import { nameRecord } from '../data/record-names.ts';
import type { Json } from '../../core/json.ts';
import { inWords, type RecordPlace, type Row, type Table, type Tables } from '../data/tables.ts';
import { fitsMember, freshText, hasShape } from './fresh-values.ts';
import type { InputMember } from './members.ts';

/** Where a text of an input comes from: `ids:books`, `names:members`, `values`, `choices` or `new`. */
export type Source = string;

/** A value drawn from a source, and the record it stands for. */
export interface Drawn {
  readonly value: string;
  readonly place: RecordPlace | null;
}

export interface SourceContext {
  readonly tables: Tables;
  readonly random: Random;
  readonly member: InputMember;
  readonly choices: readonly string[];
  /** The table that the command is about: new texts are shaped like those in it. */
  readonly home: string | null;
}

const lateShare = 0.25;
const lateRecords = 3;

export function drawFrom(source: Source, context: SourceContext): Drawn | null {
  const drawn = drawAny(source, context);
  if (drawn === null || source.startsWith('ids:')) return drawn;
  const { member, home, tables } = context;
  const there = memberTexts(tables, member, home);
  const isStrange = source.startsWith('names:') && !mayHoldNames(context, source.slice('names:'.length), there);
  return isStrange || !fitsMember(member.field, there, drawn.value) ? null : drawn;
}

const fewest = 3;

/** Whether a member may have the name of a record: a note of a scene has other texts, and none of them names a location. */
function mayHoldNames({ tables, member }: SourceContext, table: string, there: readonly string[]): boolean {
  const places = tables.get(table)?.places ?? [];
  if (there.length < fewest || /\bname\b/.test(member.about)) return true;
  return places.some(place => there.includes(nameRecord(tables, place)?.text ?? ''));
}

function drawAny(source: Source, context: SourceContext): Drawn | null {
  const { tables, random, member, choices, home } = context;
  const [kind, table = ''] = source.split(':') as [string, string?];
  const places = tables.get(table)?.places ?? [];
  // What was added last is what a command that takes something back is about.
  const offered = random.chance(lateShare) ? places.slice(-lateRecords) : places;
  if (kind === 'ids') return offered.length === 0 ? null : placed(random.pick(offered));
  if (kind === 'names') {
    const place = places.length === 0 ? null : random.pick(places);
    const name = place === null ? null : nameRecord(tables, place);
    return name === null ? null : { value: name.text, place };
  }
  if (kind === 'choices') return choices.length === 0 ? null : { value: random.pick(choices), place: null };
  const there = memberTexts(tables, member, home);
  if (kind === 'values') return there.length === 0 ? null : { value: random.pick(there), place: null };
  return { value: freshText(member.field, there, random), place: null };
}

function placed(place: RecordPlace): Drawn {
  return { value: place.row.id, place };
}

/** Texts of the members that are called like the input. */
function memberTexts(tables: Tables, { key, field }: InputMember, home: string | null): string[] {
  const texts = new Set<string>();
  const fits = createEnding(field);
  for (const { name, places } of tables.values()) {
    if (home !== null && name !== home) continue;
    for (const { row } of places) {
      const value = row[key] ?? (key === field ? undefined : endingMember(row, fits));
      if (typeof value === 'string' && value !== '') texts.add(value);
    }
  }
  return [...texts];
}

/** The value of the member whose name a field ends with: `phone` for "keeper phone". */
function endingMember(row: Row, fits: (key: string) => boolean): Json | undefined {
  const fitting = Object.keys(row).filter(fits);
  return row[fitting.toSorted((left, right) => right.length - left.length)[0] ?? ''];
}

/** Whether a field ends with the name of a member. Rows of a table share their members: each is looked at once. */
function createEnding(field: string): (key: string) => boolean {
  const known = new Map<string, boolean>();
  return key => {
    const isKnown = known.get(key);
    if (isKnown !== undefined) return isKnown;
    const fits = ` ${field}`.endsWith(` ${inWords(key)}`);
    known.set(key, fits);
    return fits;
  };
}

interface Described {
  readonly name: string;
  readonly about: string;
}

/** The table that a command is about, by its name; null when that names none, or several. */
export function homeTable(tables: Tables, { name }: Described): string | null {
  const named = [...tables.values()].filter(({ noun }) => mentions(inWords(name), noun));
  return named.length === 1 ? (named[0] as Table).name : null;
}

/** What the words around a member say about its source, as weights. */
export function likelySources(
  tables: Tables,
  member: InputMember,
  { command, hasChoices }: { readonly command: Described; readonly hasChoices: boolean },
): Map<Source, number> {
  const weights = new Map<Source, number>([
    ['choices', isIdKey(member.key) ? 0.02 : hasChoices ? 8 : isPlainText(member.field) ? 0.02 : 0.1],
    ['values', isIdKey(member.key) ? 0.02 : 0.5],
    ['new', isIdKey(member.key) ? 0.02 : 6],
  ]);
  const example = /such as (?:\["?|")?([\w-]+)/.exec(member.about)?.[1];
  for (const table of tables.values()) {
    weights.set(`ids:${table.name}`, idWeight(table, { member, command, example }));
    weights.set(`names:${table.name}`, nameWeight(table, member));
  }
  return weights;
}

interface Clues {
  readonly member: InputMember;
  readonly command: Described;
  readonly example: string | undefined;
}

function idWeight({ noun, places }: Table, { member, command, example }: Clues): number {
  const { key, about } = member;
  const id = places[0]?.row.id ?? '';
  if (example !== undefined && prefixOf(example) === prefixOf(id)) return 40;
  const isNamed =
    (!hasShape(key) && inWords(key).replace(/s$/, '') === noun) || (mentions(about, noun) && !/\bname\b/.test(about));
  if (isNamed) return 20;
  if (isIdKey(key)) return mentions(inWords(command.name), noun) ? 20 : mentions(command.about, noun) ? 6 : 1;
  return 0.01;
}

function nameWeight({ noun }: Table, { key, about }: InputMember): number {
  if (/\bname\b/.test(about) && mentions(about, noun)) return 20;
  if (hasShape(key)) return 0.01;
  if (inWords(key) === noun) return 3;
  return isPlainText(key) ? 0.01 : 0.2;
}

/** Members that take any text: what is drawn for them should read like one. */
function isPlainText(key: string): boolean {
  return hasShape(key) || /name|title|subject|label|city/i.test(key);
}

function isIdKey(key: string): boolean {
  return /^ids?$|Ids?$|_ids?$/.test(key);
}

function prefixOf(id: string): string {
  return id.replace(/\d.*$/, '').replace(/[A-Z]+/, letters => (letters.length > 1 ? 'A' : letters));
}

function mentions(text: string, noun: string): boolean {
  return new RegExp(`\\b${noun}(?:s|es)?\\b`).test(text.toLowerCase());
}
