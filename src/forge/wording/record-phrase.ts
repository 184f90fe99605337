import type { Json } from '../../core/json.ts';
import type { Random } from '../../core/random.ts';
import { pluralOf } from '../../core/text.ts';
import { nameRecord, type RecordName } from '../data/record-names.ts';
import { inWords, type RecordPlace, type Tables } from '../data/tables.ts';
import { memberNoun } from './member-noun.ts';
import { joined, quoted } from './quoted.ts';

/** Records as an instruction names them, and the texts that were used for it. */
export interface RecordPhrase {
  readonly noun: string;
  readonly words: string;
  readonly names: readonly string[];
}

/** Null when one of the records has no name of its own. */
export function phraseRecords(tables: Tables, places: readonly RecordPlace[], random: Random): RecordPhrase | null {
  const names = places.map(place => nameRecord(tables, place));
  if (names.length === 0 || names.some(name => name === null)) return null;
  const known = names as readonly RecordName[];
  const noun = (known[0] as RecordName).noun;
  const said = known.map(name => shortName(name, random));
  const used = known.flatMap((name, index) => [
    said[index]?.includes(name.text) === true ? name.text : (name.code ?? name.text),
    ...(name.of === null ? [] : [name.of.text]),
  ]);
  const [only] = known;
  if (known.some(({ by }) => by.length > 0)) return byMembers(known);
  if (known.length > 1) return { noun, words: `the ${pluralOf(noun)} ${said.join(' and ')}`, names: used };
  const belongs = only?.of === null || only === undefined ? '' : ` of the ${only.of.noun} ${only.of.text}`;
  const isBorrowed = only !== undefined && only.borrowedFrom !== null;
  const isNamed =
    isBorrowed || only?.text.includes(' ') !== true || only.text.includes('@') || belongs !== '' || random.chance(0.9);
  const about = isBorrowed && only.code === null ? `${linkOf(noun, only.borrowedFrom ?? '')} ` : '';
  const article = isNamed ? `the ${noun} ${about}` : '';
  return { noun, words: `${article}${said[0]}${belongs}`, names: used };
}

/** A comment is on something, a cart item for it, an appointment for a patient, a screening of a film. */
function linkOf(noun: string, other: string): string {
  if (/\b(?:comment|note|remark)$/.test(noun)) return 'on';
  if (/\breview$/.test(noun)) return 'of';
  if (/\b(?:item|line)$/.test(noun)) return 'for';
  const isFor =
    /\b(?:appointment|reminder|ticket|request|order|message|invoice|bill|quote|reservation|permit|slot|seat)$/;
  return `${isFor.test(noun) ? 'for' : 'of'} the ${other}`;
}

/** Records without a name go by what screens show of them: "the parcel with 12 kilos". Only one at a time. */
function byMembers([only, ...others]: readonly RecordName[]): RecordPhrase | null {
  if (only === undefined || others.length > 0) return null;
  const belongs = only.of === null ? '' : ` of the ${only.of.noun} ${only.of.text}`;
  const said = only.by.map(({ member, value, text }) => memberPhrase(inWords(member), value, text));
  const names = [...only.by.map(({ text }) => text), ...(only.of === null ? [] : [only.of.text])];
  return { noun: only.noun, words: `the ${only.noun}${belongs} with ${joined(said)}`, names };
}

/** Numbers that are names: "the bill with the number 506", not "with a number of 506". */
const numbers = /(?:^| )(?:number|no|code|year|position|rank|floor|row|room|seat|page|version|level)$/;

function memberPhrase(words: string, value: Json, text: string): string {
  if (typeof value !== 'number') return `the ${memberNoun(words, value)} ${quoted(text)}`;
  if (/[^s]s$/.test(words)) return `${text} ${text === '1' ? words.slice(0, -1) : words}`;
  if (numbers.test(words)) return `the ${words} ${text}`;
  return `${/^[aeiou]/.test(words) ? 'an' : 'a'} ${words} of ${text}`;
}

function shortName({ text, code }: RecordName, random: Random): string {
  if (code !== null && (code === text || random.chance(0.6))) return code;
  return `"${text}"`;
}
