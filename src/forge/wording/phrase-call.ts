import type { Json, JsonObject } from '../../core/json.ts';
import type { Random } from '../../core/random.ts';
import { pluralOf, standsIn } from '../../core/text.ts';
import { inWords, type RecordPlace, type Tables } from '../data/tables.ts';
import type { DrawnMember } from '../inputs/draw-input.ts';
import type { SampledCall } from '../inputs/try-call.ts';
import { chooseFrom, headOf, putInto, sideOfFlag, withoutAlternative } from './about-sentence.ts';
import { phraseEdit } from './edit-phrases.ts';
import { namedMembers } from './label-sentence.ts';
import { memberLabel, memberNoun } from './member-noun.ts';
import { phraseRecords, type RecordPhrase } from './record-phrase.ts';
import { joined, quoted } from './quoted.ts';
import type { Said } from './said.ts';
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
  return { sentence: withLines(sentence, missing), names: names as JsonObject };
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
  if (fitting.length > 0) return fillIn(random.pick(fitting), said, call);
  const isEdit =
    call.members.some(({ role }) => role === 'kept') || said.texts.some(({ value }) => namesPath(call, value));
  // "Offer a hive for sale or withdraw the offer": how the second half is said of the hive is not understood.
  const head = headOf(call.command.about);
  const isUnsaid = said.flags.some(({ isOn }) => !isOn && / or /.test(head) && sideOfFlag(head, isOn) === null);
  const edit = isEdit || isUnsaid || random.chance(0.4) ? phraseEdit(call, said, random) : null;
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
function fillIn<S extends JsonObject>(phrase: string, { records, texts, flags }: Said, call: SampledCall<S>): string {
  const unsaid = flags.filter(({ key }) => !phrase.includes(`{${key}}`));
  const values = new Map([
    ...records.map(({ key, words }) => [key, words] as const),
    ...texts.map(({ key, value }) => [key, quoted(value)] as const),
    ...flags.map(({ key, isOn }) => [key, isOn ? 'yes' : 'no'] as const),
  ]);
  const sentence = phrase.replaceAll(/\{(\w+)\}/g, (whole, key: string) => values.get(key) ?? whole);
  return withFacts(sentence.replace(/\.$/, ''), unsaid, call);
}

function phraseFromAbout<S extends JsonObject>(call: SampledCall<S>, said: Said, random: Random): string {
  const head = headOf(call.command.about);
  const [flag, ...otherFlags] = said.flags;
  const side = flag === undefined ? null : sideOfFlag(head, flag.isOn);
  const told = flag === undefined || side !== null ? null : flagInHead(head, flag);
  const start = varyVerb(withNouns(withoutAlternative(side ?? told ?? head), said.texts), random);
  const chosen = said.texts.reduce(
    ({ sentence, left }, text) => {
      const put = chooseFrom(sentence, choicesOf(call, text.key), text.value);
      return put === null ? { sentence, left: [...left, text] } : { sentence: put, left };
    },
    { sentence: start, left: [] as Said['texts'][number][] },
  );
  const facts = [...(flag !== undefined && side === null && told === null ? [flag] : []), ...otherFlags];
  const sayFlags = (sentence: string): string => withFacts(sentence, facts, call);
  const records = said.records.map(record => calledAs(record, chosen.sentence));
  const withMarks = putRecords(chosen.sentence, records);
  const named = namedMembers(
    call.command.about,
    call.members.map(({ key }) => key),
  );
  const isList = / details of /.test(withMarks);
  const texts = chosen.left.map(text => ({
    ...text,
    key: named.get(text.key) ?? (isList ? changedMember(call, text) : text.key),
  }));
  const whole = withTexts(sayFlags(withMarks), texts, random);
  return whole.replaceAll(recordMark, (_mark, index: string, how: string) => nameIn(records[Number(index)], how));
}

/** Where the author speaks of a trainer and the table of staff, the record is "the trainer". */
function calledAs(record: Said['records'][number], sentence: string): Said['records'][number] {
  const { key, noun, words } = record;
  const role = inWords(key).replace(/ ids?$/, '');
  if (role === noun || /^(?:ids?|value)$/.test(role) || putInto(sentence, noun, '') !== null) return record;
  if (!new RegExp(String.raw`\b(?:an?|another|the) (?:new |other |different )?${role}\b`, 'u').test(sentence))
    return record;
  return { ...record, noun: role, words: words.replace(`the ${noun} `, `the ${role} `) };
}

/** "Mark a dog as vaccinated" says what the flag `vaccinated` is; null where the sentence does not mention it. */
function flagInHead(head: string, { key, isOn }: Said['flags'][number]): string | null {
  const word = new RegExp(String.raw`\b${inWords(key)}\b`, 'u');
  if (!word.test(head)) return null;
  return isOn ? head : head.replace(word, whole => `not ${whole}`);
}

/** "Set the planted of a tree" names no thing: the value says that it is a date. */
function withNouns(head: string, texts: Said['texts']): string {
  const value = texts.find(({ key }) => key === 'value')?.value;
  const label = /^\w+ the (?<label>[\p{L} ]+?) of /u.exec(head)?.groups?.['label'];
  return value === undefined || label === undefined ? head : head.replace(label, memberNoun(label, value));
}

/** The member that a text goes to, where the input only calls it a value. */
function changedMember<S extends JsonObject>(
  { changes }: SampledCall<S>,
  { key, value }: Said['texts'][number],
): string {
  if (key !== 'value') return key;
  const change = changes.find(({ op, ...rest }) => op === 'replace' && 'value' in rest && String(rest.value) === value);
  return change === undefined ? key : change.path.slice(change.path.lastIndexOf('/') + 1);
}

/** Stands for a record until the sentence is complete, so that nothing is put into its name. */
const recordMark = /«(\d)([+-]?)»/g;

/** The words for a record, with its noun or without it. */
function nameIn(record: Said['records'][number] | undefined, how: string): string {
  const { words = '', noun = '' } = record ?? {};
  const bare = words.replace(`the ${noun} `, '');
  if (how === '-' && bare.startsWith('"')) return bare;
  return how === '+' && words.startsWith('"') ? `the ${noun} ${words}` : words;
}

/** "Another", and what the author calls it: "another trainer" may be a member of the staff. */
const other = /\b(?:another|a different)(?: (?!(?:and|or|of|to|in|on|at|for|with|by|from)\b)\p{L}+)?(?![\p{L}»])/u;

function putRecords(start: string, records: Said['records']): string {
  const marks = records.map((_record, index) => `«${index}»`);
  const [first, second] = records;
  if (records.length === 2 && first?.noun === second?.noun) {
    const both = new RegExp(`\\btwo (?:of (?:the|your) )?${pluralOf(first?.noun ?? '')}\\b`);
    if (both.test(start)) return start.replace(both, marks.join(' and '));
  }
  let sentence = start;
  const left: string[] = [];
  for (const [index, { noun }] of records.entries()) {
    const mark = marks[index] as string;
    // "Set the location of a scene": another location takes the place of the one it has.
    if (new RegExp(String.raw`^\w+ the ${noun} of `).test(start) && records.length > 1) {
      left.push(mark);
      continue;
    }
    const another = other.test(sentence) ? sentence.replace(other, mark) : null;
    const put = putInto(sentence, noun, mark) ?? another;
    if (put === null) left.push(mark);
    else sentence = put;
  }
  if (left.length === 0) return sentence;
  const isNewValue = left.length === 1 && sets.test(start) && !/\bdetails of\b/.test(start);
  if (isNewValue) return `${asChange(sentence)} to ${left[0]?.replace('»', '-»')}`;
  const others = joined(left.map(mark => mark.replace('»', '+»')));
  // "Change the details of the train for the driver": the driver is one of the details.
  return `${sentence}${/\bdetails of\b/.test(sentence) ? ':' : linkTo(start)} ${others}`;
}

/** "Change the seats to 40" means how many there are. */
function withCount(sentence: string, value: string): string {
  if (!/^\d+$/.test(value)) return sentence;
  return sentence.replace(
    /^(?<start>\w+ the )(?<label>\p{Ll}[\p{Ll} ]*?)(?= of )/u,
    (_all, start: string, label: string) => `${start}${memberNoun(label, Number(value))}`,
  );
}

/** Something is edited, but changed to a value. */
function asChange(sentence: string): string {
  return sentence.replace(/^Edit /, 'Change ');
}

/** How a record that the author does not mention belongs to the rest: "create a boat for", "rent a flat out to". */
function linkTo(start: string): string {
  if (/^(?:Create|Make|Add|Set up|Register|Draw up|Write|Plan|Report|Take payment)\b/.test(start)) return ' for';
  if (/^(?:Assign|Reassign|Rent|Give|Hand|Pass|Lend|Let|Lease|Sell|Transfer|Send|Grant)\b/.test(start)) return ' to';
  return /\b(?:a|an|the) [\p{L} ]+$/u.test(start) || / «\d»/.test(start) ? ', with' : ' for';
}

/** Sentences that give something another value: "to" leads to it. */
const sets =
  /^(?:Adjust|Alter|Amend|Change|Correct|Edit|Increase|Lower|Modify|Move|Raise|Reduce|Set|Update) the [^:]+? of |^(?:Rename|Retitle|Reschedule) /;

/** Sentences that write a member down: "as" leads to its value. */
const notes = (member: string): RegExp =>
  new RegExp(`^(?:Report|Record|Note|Log|Register|Enter|Write down) the [^:]*\\b${memberLabel(member)}\\b[^:]* of `);

interface MemberSchema {
  readonly options?: readonly unknown[];
  readonly description?: string;
  safeParse?(value: unknown): { readonly data?: unknown };
}

function memberSchema<S extends JsonObject>({ command }: SampledCall<S>, key: string): MemberSchema | undefined {
  return (command.schema as unknown as { shape?: Record<string, MemberSchema> }).shape?.[key];
}

function choicesOf<S extends JsonObject>(call: SampledCall<S>, key: string): readonly string[] {
  return (memberSchema(call, key)?.options ?? []).filter(option => typeof option === 'string');
}

/** "From one day until another": the days follow, with the same words. */
const span =
  /,? from (?:one|an?) (?:day|date|time) (?:until|to) (?:another|an?)(?: later)?(?: (?:one|day|date|time))?\b/;

/** Adds the texts: in the place of "a reader", after "to", or in a list. */
function withTexts(sentence: string, texts: readonly Said['texts'][number][], random: Random): string {
  let whole = sentence.replace(span, '');
  const left: Said['texts'][number][] = [];
  for (const text of texts) {
    const put = putText(whole, text);
    if (put === null) left.push(text);
    else whole = put;
  }
  const isSmallWord = ({ key }: { key: string }): boolean => /^(?:to|from|cc|for|by|until)$/.test(key);
  for (const { key, value } of left.filter(isSmallWord))
    whole += ` ${key === 'cc' ? 'with a copy to' : key} ${quoted(value)}`;
  const rest = left.filter(text => !isSmallWord(text));
  const [only] = rest;
  if (only === undefined) return whole;
  if (rest.length === 1 && sets.test(whole) && !/\bdetails of\b| to | with |:/.test(whole))
    return `${asChange(withCount(whole, only.value))} to ${quoted(only.value)}`;
  if (rest.length === 1 && notes(only.key).test(whole) && !/\bdetails of\b| as | to | with |:/.test(whole))
    return `${whole} as ${quoted(only.value)}`;
  // "Change the details of the match with the title" would say which match, and "the parcel with 7 kilos with 5" nothing.
  const isSet = /^(?:Change|Update|Edit|Adjust) /.test(whole) || / with |\bhow (?:many|much|long|often)\b/.test(whole);
  const style = isSet ? random.pick([0, 2]) : random.between(0, 2);
  if (style === 0) return `${whole}${whole.includes(':') ? ',' : ':'} ${rest.map(listed).join(', ')}`;
  if (style === 1)
    return `${whole} with ${joined(rest.map(({ key, value }) => (isCounted(key, value) ? listed({ key, value }) : `the ${memberNoun(key, value)} ${quoted(value)}`)))}`;
  return withLines(whole, rest);
}

/** Adds what is left to say as sentences of their own: `Subject: "Lunch"`. */
function withLines(sentence: string, texts: readonly Said['texts'][number][]): string {
  return [sentence, ...texts.map(({ key, value }) => `${capitalised(memberLabel(key))}: ${quoted(value)}`)].reduce(
    (text, part) => `${text}${/[.!?]"$/.test(text) ? '' : '.'} ${part}`,
  );
}

/** Puts a text where the sentence speaks of it; null when it does not. */
function putText(sentence: string, { key, value }: { key: string; value: string }): string | null {
  const label = memberLabel(key);
  if (key === 'value' && !/ details of /.test(sentence)) {
    const bare = sentence.replace(/ (?:to|into|in) an? [^"«]*$/, '');
    const link = /^(?:Choose|Pick|Select) /.test(bare) ? ':' : /^(?:Put|Place) /.test(bare) ? ' into' : ' to';
    return `${link === ' to' ? asChange(withCount(bare, value)) : bare}${link} ${quoted(value)}`;
  }
  const range = new RegExp(String.raw`\b(?:(?:one|\d+) to \w+|an? (?:\w+ )?number of|some|a few) ${label}\b`, 'u');
  if (range.test(sentence))
    return sentence.replace(range, () => `${value} ${value === '1' ? label.replace(/s$/, '') : label}`);
  const mention = new RegExp(
    String.raw`(?:\b(?:an? (?:new |different )?|another )|(?<=[\d"] and ))${label}\b(?<date> date\b)?(?: of the (?:day|week|month|year)\b)?`,
    'u',
  );
  if (mention.test(sentence))
    return sentence.replace(mention, (_all, date = '') => `the ${label}${date} ${quoted(value)}`);
  // "On another rack", for the member `rackNumber`.
  const numbered = new RegExp(
    String.raw`\b(?:an?|another) (?:new |different )?${label.replace(/ number$/, '')}\b`,
    'u',
  );
  if (label.endsWith(' number') && numbered.test(sentence))
    return sentence.replace(numbered, () => `${label} ${quoted(value)}`);
  const point = pointInTime(value);
  return point?.test(sentence) === true
    ? sentence.replace(point, (_all, and = '') => (and === '' ? quoted(value) : `and the time ${quoted(value)}`))
    : null;
}

/** Where a sentence speaks of the date or time that a value is, whatever the member is called: "until a date". */
function pointInTime(value: string): RegExp | null {
  const noun = /^\d{4}-\d\d-\d\d$/.test(value) ? 'date|day' : /^\d\d?:\d\d$/.test(value) ? 'time|hour' : null;
  if (noun === null) return null;
  return new RegExp(String.raw`\b(?:(?:an?|another) (?:\p{Ll}+ )??|(?<=[\d"] )(and) )(?:${noun})\b`, 'u');
}

/** Adds flags: by what the author says of them ("Whether copies go to the others"), else as switches. */
function withFacts<S extends JsonObject>(sentence: string, flags: Said['flags'], call: SampledCall<S>): string {
  const said = flags.flatMap(({ key, isOn }) => {
    const member = memberSchema(call, key);
    // What is off unless it is asked for needs no words.
    if (!isOn && member?.safeParse?.(undefined).data === false) return [];
    const meaning = /^Whether (?<fact>[^.]+)\.?$/.exec(member?.description ?? '')?.groups?.['fact'];
    return [meaning !== undefined && isOn ? `so that ${meaning}` : `with "${inWords(key)}" ${isOn ? 'on' : 'off'}`];
  });
  if (said.length === 0) return sentence;
  const isList = / details of /.test(sentence);
  return isList
    ? `${sentence}${sentence.includes(':') ? ',' : ':'} ${said.map(fact => fact.replace(/^with /, '')).join(', ')}`
    : `${sentence} ${joined(said)}`;
}

/** Whether a text only says which member is changed: `theme` of `/settings/theme`. */
function namesPath<S extends JsonObject>({ changes }: SampledCall<S>, value: string): boolean {
  return changes.some(({ path }) => path.endsWith(`/${value}`));
}

function listed({ key, value }: { key: string; value: string }): string {
  const words = memberLabel(key);
  if (!isCounted(key, value)) return `${words} ${quoted(value)}`;
  return `${value} ${value === '1' ? words.replace(/s$/, '') : words}`;
}

/** Numbers of things are said as people do: "10 kilos", not "kilos 10". */
function isCounted(key: string, value: string): boolean {
  return /^\d+$/.test(value) && /(?:[^s]s|people|children)$/.test(key);
}

function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
