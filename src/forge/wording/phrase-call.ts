import type { Json, JsonObject } from '../../core/json.ts';
import type { Random } from '../../core/random.ts';
import { standsIn } from '../../core/text.ts';
import { inWords, type RecordPlace, type Tables } from '../data/tables.ts';
import type { DrawnMember } from '../inputs/draw-input.ts';
import type { SampledCall } from '../inputs/try-call.ts';
import { chooseFrom, headOf, putInto, sideOfFlag, withoutAlternative } from './about-sentence.ts';
import { phraseEdit } from './edit-phrases.ts';
import { phraseRecords, type RecordPhrase } from './record-phrase.ts';
import { joined, quoted, type Said } from './said.ts';
import { varyVerb } from './verbs.ts';

/** A sentence that asks for a call, without its full stop, and the names of records in it. */
export interface CallPhrase {
  readonly sentence: string;
  readonly names: JsonObject;
}

export interface PhraseOptions {
  readonly tables: Tables;
  readonly random: Random;
  /** Sentences of the author for this command, with `{member}` where a value goes. */
  readonly phrases: readonly string[];
}

/** Says a call in words. Null when a record in it has no name of its own, or a text cannot be quoted. */
export function phraseCall<S extends JsonObject>(call: SampledCall<S>, options: PhraseOptions): CallPhrase | null {
  const said = whatToSay(call.members, options);
  if (said === null) return null;
  const names = Object.fromEntries(
    said.records.map(({ noun, names: used }) => [noun, used.length === 1 ? used[0] : used]),
  );
  const sentence = phrased(call, said, options);
  const missing = said.texts.filter(({ value }) => !standsIn(sentence, value) && !namesPath(call, value));
  const complete = missing.length === 0 ? sentence : `${sentence}; ${missing.map(listed).join(', ')}`;
  return { sentence: complete, names: names as JsonObject };
}

function whatToSay(members: readonly DrawnMember[], { tables, random }: PhraseOptions): Said | null {
  const records: (RecordPhrase & { key: string })[] = [];
  const texts: { key: string; value: string }[] = [];
  const flags: { key: string; isOn: boolean }[] = [];
  for (const { key, role, value, places } of members) {
    if (role === 'record' || role === 'records') {
      if (places.some(place => !isOwnedBy(place, members, tables))) return null;
      const phrase = phraseRecords(tables, places, random);
      if (phrase === null) return null;
      records.push({ ...phrase, key });
    } else if (role === 'flag') flags.push({ key, isOn: value === true });
    else if (role === 'text') for (const text of textsOf(value)) texts.push({ key, value: text });
  }
  return texts.every(({ value }) => !value.includes('"') && !value.includes('\n')) ? { records, texts, flags } : null;
}

/** Lines of two orders may have the same id: the line that is named must belong to the order of the call. */
function isOwnedBy({ table, owner }: RecordPlace, members: readonly DrawnMember[], tables: Tables): boolean {
  if (owner === null) return true;
  const owners = new Set(tables.get(table.slice(0, table.indexOf('/')))?.places.map(({ row }) => row.id));
  const given = members.flatMap(({ value }) => (typeof value === 'string' && owners.has(value) ? [value] : []));
  return given.length === 0 || given.includes(owner.id);
}

function textsOf(value: Json): string[] {
  return (Array.isArray(value) ? (value as readonly Json[]) : [value]).map(String).filter(text => text !== '');
}

function phrased<S extends JsonObject>(call: SampledCall<S>, said: Said, options: PhraseOptions): string {
  const { random, phrases } = options;
  const fitting = phrases.filter(phrase => saysAll(phrase, said));
  if (fitting.length > 0) return fillIn(random.pick(fitting), said);
  const isEdit =
    call.members.some(({ role }) => role === 'kept') || said.texts.some(({ value }) => namesPath(call, value));
  const edit = isEdit || random.chance(0.4) ? phraseEdit(call, said, random) : null;
  return edit ?? phraseFromAbout(call, said, random);
}

/** Whether a phrase names all records of the call, and nothing that the call does not have. */
function saysAll(phrase: string, { records, texts, flags }: Said): boolean {
  const keys = Array.from(phrase.matchAll(/\{(\w+)\}/g), ([, key]) => key);
  const known = new Set([...records, ...texts, ...flags].map(({ key }) => key));
  const isSaid = ({ key, names }: Said['records'][number]): boolean =>
    keys.includes(key) ||
    records.some(other => keys.includes(other.key) && names.every(name => other.words.includes(name)));
  return keys.every(key => known.has(key ?? '')) && records.every(isSaid);
}

/** An author's sentence: `Write to {to} about {subject}`. */
function fillIn(phrase: string, { records, texts, flags }: Said): string {
  const unsaid = flags.filter(({ key }) => !phrase.includes(`{${key}}`));
  const values = new Map([
    ...records.map(({ key, words }) => [key, words] as const),
    ...texts.map(({ key, value }) => [key, quoted(value)] as const),
    ...flags.map(({ key, isOn }) => [key, isOn ? 'yes' : 'no'] as const),
  ]);
  const sentence = phrase.replaceAll(/\{(\w+)\}/g, (whole, key: string) => values.get(key) ?? whole);
  return withFacts(sentence.replace(/\.$/, ''), unsaid);
}

function phraseFromAbout<S extends JsonObject>(call: SampledCall<S>, said: Said, random: Random): string {
  const head = headOf(call.command.about);
  const [flag, ...otherFlags] = said.flags;
  const side = flag === undefined ? null : sideOfFlag(head, flag.isOn);
  const start = varyVerb(withoutAlternative(side ?? head), random);
  const chosen = said.texts.reduce(
    ({ sentence, left }, text) => {
      const put = chooseFrom(sentence, choicesOf(call, text.key), text.value);
      return put === null ? { sentence, left: [...left, text] } : { sentence: put, left };
    },
    { sentence: start, left: [] as Said['texts'][number][] },
  );
  const facts = [...(flag !== undefined && side === null ? [flag] : []), ...otherFlags];
  const withMarks = putRecords(chosen.sentence, said.records);
  const whole = withFacts(withTexts(withMarks, chosen.left, random), facts);
  return whole.replaceAll(recordMark, (_mark, index: string) => said.records[Number(index)]?.words ?? '');
}

/** Stands for a record until the sentence is complete, so that nothing is put into its name. */
const recordMark = /«(\d)»/g;

function putRecords(start: string, records: Said['records']): string {
  const marks = records.map((_record, index) => `«${index}»`);
  const [first, second] = records;
  if (records.length === 2 && first?.noun === second?.noun) {
    const both = new RegExp(`\\btwo ${first?.noun ?? ''}(?:es|s)?\\b`);
    if (both.test(start)) return start.replace(both, marks.join(' and '));
  }
  let sentence = start;
  const left: string[] = [];
  for (const [index, { noun }] of records.entries()) {
    const mark = marks[index] as string;
    const another = /\banother\b/.test(sentence) ? sentence.replace(/\banother\b/, mark) : null;
    const put = putInto(sentence, noun, mark) ?? another;
    if (put === null) left.push(mark);
    else sentence = put;
  }
  return left.length === 0 ? sentence : `${sentence} for ${joined(left)}`;
}

function choicesOf<S extends JsonObject>({ command }: SampledCall<S>, key: string): readonly string[] {
  const shape = (command.schema as unknown as { shape?: Record<string, { options?: readonly unknown[] }> }).shape;
  return (shape?.[key]?.options ?? []).filter(option => typeof option === 'string');
}

/** Adds the texts: in the place of "a reader", after "to", or in a list. */
function withTexts(sentence: string, texts: readonly Said['texts'][number][], random: Random): string {
  let whole = sentence;
  const left: Said['texts'][number][] = [];
  for (const text of texts) {
    const put = putText(whole, text);
    if (put === null) left.push(text);
    else whole = put;
  }
  const isSmallWord = ({ key }: { key: string }): boolean => /^(?:to|from|cc|for|by)$/.test(key);
  for (const { key, value } of left.filter(isSmallWord))
    whole += ` ${key === 'cc' ? 'with a copy to' : key} ${quoted(value)}`;
  const rest = left.filter(text => !isSmallWord(text));
  if (rest.length === 0) return whole;
  // "Change the details of the match with the title" would say which match.
  const style = /^(?:Change|Update|Edit|Adjust) /.test(whole) ? random.pick([0, 2]) : random.between(0, 2);
  if (style === 0) return `${whole}${whole.includes(':') ? ',' : ':'} ${rest.map(listed).join(', ')}`;
  if (style === 1)
    return `${whole} with ${joined(rest.map(({ key, value }) => `the ${inWords(key)} ${quoted(value)}`))}`;
  return [whole, ...rest.map(({ key, value }) => `${capitalised(inWords(key))}: ${quoted(value)}`)].reduce(
    (text, part) => `${text}${/[.!?]"$/.test(text) ? '' : '.'} ${part}`,
  );
}

/** Puts a text where the sentence speaks of it; null when it does not. */
function putText(sentence: string, { key, value }: { key: string; value: string }): string | null {
  const label = inWords(key);
  if (key === 'value') {
    const bare = sentence.replace(/ (?:to|into|in) an? [^"«]*$/, '');
    const link = /^(?:Choose|Pick|Select) /.test(bare) ? ':' : /^(?:Put|Place) /.test(bare) ? ' into' : ' to';
    return `${bare}${link} ${quoted(value)}`;
  }
  const range = new RegExp(String.raw`\b(?:one|\d+) to \w+ ${label}\b`, 'u');
  if (range.test(sentence))
    return sentence.replace(range, () => `${value} ${value === '1' ? label.replace(/s$/, '') : label}`);
  const mention = new RegExp(String.raw`\ban? (?:new )?${label}\b`, 'u');
  return mention.test(sentence) ? sentence.replace(mention, () => `the ${label} ${quoted(value)}`) : null;
}

function withFacts(sentence: string, flags: Said['flags']): string {
  if (flags.length === 0) return sentence;
  return `${sentence} (${flags.map(({ key, isOn }) => `${inWords(key)}: ${isOn ? 'yes' : 'no'}`).join(', ')})`;
}

/** Whether a text only says which member is changed: `theme` of `/settings/theme`. */
function namesPath<S extends JsonObject>({ changes }: SampledCall<S>, value: string): boolean {
  return changes.some(({ path }) => path.endsWith(`/${value}`));
}

function listed({ key, value }: { key: string; value: string }): string {
  return `${inWords(key)} ${quoted(value)}`;
}

function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
