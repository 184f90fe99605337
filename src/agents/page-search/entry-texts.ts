import { findMentions, type Mention } from '../learned/reading/mentions.ts';
import { isStopWord, wordsOf } from '../learned/reading/words.ts';
import { comparedWord, comparedWords } from './page-words.ts';

/** A text that the instruction gives to enter into a field. */
export interface EntryText {
  readonly text: string;
  readonly kind: 'quote' | 'address' | 'number' | 'date' | 'name';
  /** Words near it in the instruction: they often name its field. */
  readonly near: ReadonlySet<string>;
  /** The last two of those before it, which name its field best: `first name` of `with first name 'Ann'`. */
  readonly label: readonly string[];
  /** How many other readings of the same words come before this one. */
  readonly doubt: number;
  /** Whether the words before it say that it is what something shall be, and not what is there: `to`, `called`, `with`. */
  readonly isNew: boolean;
}

const months = 'January February March April May June July August September October November December'.split(' ');
const monthNames = months.map(name => `${name}|${name.slice(0, 3)}`).join('|');
const monthFirst = new RegExp(String.raw`\b(${monthNames})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})\b`, 'g');
const dayFirst = new RegExp(String.raw`\b(\d{1,2}) (${monthNames})\.?,? (\d{4})\b`, 'g');
const isoDate = /\b(\d{4})-(\d{2})-(\d{2})\b/g;
const clockTime = /\b(\d{1,2}):(\d{2})\s*([ap]\.?m)\b/gi;
const address = /[\w.+-]+@[\w.-]+/g;
const colour = /#(?:[\da-f]{6}|[\da-f]{3})\b/gi;
/** Digits of a name such as INV-0058 are none. */
const amount = /(?<![a-z]-\d*)[$€£]?\d[\d,]*(?:\.\d+)?/gi;

/** The texts of an instruction that may be entered into fields, in the forms that fields accept. */
export function findEntryTexts(instruction: string): readonly EntryText[] {
  const found = new Map<string, EntryText>();
  const add = (entry: EntryText): void => {
    if (!found.has(entry.text)) found.set(entry.text, entry);
  };
  const told = new Set(comparedWords(instruction.replaceAll(address, ' ')));
  const mentions = findMentions(instruction).filter(
    ({ text, shape }) => (shape !== 'number' || !isPart(text, instruction)) && !isColourPart(text, instruction),
  );
  for (const mention of mentions) {
    const { text, shape, left, clause, noun } = mention;
    const kind = shape === 'quoted' || shape === 'sentence' ? 'quote' : shape === 'code' ? 'name' : shape;
    // Parts of an address, as in `ann@mail.org`, name no field.
    const near = [...left, ...noun, ...clause.slice(0, 8)].map(comparedWord).filter(word => told.has(word));
    const label = left
      .map(comparedWord)
      .filter(word => told.has(word) && !isStopWord(word))
      .slice(0, 2);
    add({
      text,
      kind,
      near: new Set(near),
      label,
      doubt: doubtOf(mention, mentions, instruction),
      isNew: isNew(mention),
    });
  }
  for (const { 0: text, index } of instruction.matchAll(colour))
    add({ text, kind: 'quote', near: wordsBefore(instruction, index), label: [], doubt: 0, isNew: true });
  for (const { text, at } of findUnquoted(instruction))
    add({ text, kind: 'quote', near: wordsBefore(instruction, at), label: [], doubt: 0, isNew: true });
  const dates = findDates(instruction);
  for (const { text, at, doubt = 0 } of [
    ...dates,
    ...findTimes(instruction, dates),
    ...findAmounts(withoutTexts(instruction)),
  ])
    add({
      text,
      kind: /[-/:]/.test(text) ? 'date' : 'number',
      near: wordsBefore(instruction, at),
      label: [],
      doubt,
      isNew: true,
    });
  return [...found.values()];
}
interface FoundText {
  readonly text: string;
  readonly at: number;
  readonly doubt?: number;
}

/** Whether a text is a colour without its sign: `0052CC` of `#0052CC`. */
function isColourPart(text: string, instruction: string): boolean {
  return [...instruction.matchAll(colour)].some(([one]) => one === `#${text}`);
}

/** Whether a number is only a piece of a longer one: `$5` and `000` of `$5,000`. */
function isPart(text: string, instruction: string): boolean {
  const longer = [...instruction.matchAll(amount)]
    .map(([one]) => one)
    .filter(one => one !== text && one.includes(text));
  return longer.length > 0 && !longer.reduce((rest, one) => rest.replaceAll(one, ' '), instruction).includes(text);
}

/** With blanks in the place of quotes, addresses, dates and colours: their digits are no amounts, and number no object. */
export function withoutTexts(instruction: string): string {
  const blank = (text: string): string => ' '.repeat(text.length);
  const quoted = findMentions(instruction).filter(({ shape }) => shape === 'quoted' || shape === 'sentence');
  const patterns = [address, colour, monthFirst, dayFirst, isoDate, clockTime];
  const rest = patterns.reduce((text, pattern) => text.replaceAll(pattern, blank), instruction);
  return quoted.reduce((text, quote) => text.replaceAll(quote.text, blank), rest);
}

function isNew({ left: [before = ''] }: Mention): boolean {
  return givingWords.has(before);
}

const givingWords: ReadonlySet<string> = new Set(wordsOf('to titled called named name with as be title is'));

/** Readings of the same words, the likeliest first: without the verb that begins a sentence, in capitals, and whole. */
function doubtOf({ text, place }: Mention, mentions: readonly Mention[], instruction: string): number {
  // Fields of amounts take no signs: the same number comes without them.
  if (signed.test(text)) return 1;
  const oddity = (one: string): number =>
    (sentenceStart.test(instruction.slice(0, instruction.indexOf(one))) ? 4 : 0) +
    (one.match(/ \p{Ll}+$/u) === null ? 0 : 1) +
    (one.match(/ \p{Ll}+ \p{Ll}+$/u) === null ? 0 : 1);
  const readings = mentions.filter(other => other.place === place).map(other => other.text);
  const sorted = readings.toSorted((left, right) => oddity(left) - oddity(right) || right.length - left.length);
  return sorted.indexOf(text);
}

const signed = /^(?:[$€£][\d.,]+|[\d.]*,[\d.,]*\d)$/;
const sentenceStart = /(?:^|[.!?] )$/;

/** A list that is given without quotes: what comes after a colon, as in `to: 5 Elm St, Springfield, US.` */
const listAfterColon = /: ([^:'"‘’“”]*\p{Lu}[^:'"‘’“”]*,[^:'"‘’“”]*?)(?:\.(?= |$)|$)/gu;

function findUnquoted(instruction: string): FoundText[] {
  return [...instruction.matchAll(listAfterColon)].map(({ 1: text = '', index: at }) => ({ text, at }));
}

function wordsBefore(instruction: string, at: number): ReadonlySet<string> {
  return new Set(comparedWords(instruction.slice(Math.max(0, at - 60), at)).slice(-5));
}

/** As an ISO date, which is what date fields take, and with slashes. */
function findDates(instruction: string): FoundText[] {
  const found: FoundText[] = [];
  const add = (at: number, [year, month, day]: readonly [string, number, string]): void => {
    const [m, d] = [String(month).padStart(2, '0'), day.padStart(2, '0')];
    found.push({ text: `${year}-${m}-${d}`, at }, { text: `${m}/${d}/${year}`, at });
  };
  for (const { 1: month = '', 2: day = '', 3: year = '', index } of instruction.matchAll(monthFirst))
    add(index, [year, monthNumber(month), day]);
  for (const { 1: day = '', 2: month = '', 3: year = '', index } of instruction.matchAll(dayFirst))
    add(index, [year, monthNumber(month), day]);
  for (const { 1: year = '', 2: month = '', 3: day = '', index } of instruction.matchAll(isoDate))
    add(index, [year, Number(month), day]);
  return found;
}

function monthNumber(name: string): number {
  return months.findIndex(month => month.startsWith(name)) + 1;
}

/** As `08:00`, and together with each date. */
function findTimes(instruction: string, dates: readonly FoundText[]): FoundText[] {
  return [...instruction.matchAll(clockTime)].flatMap(({ 1: hour = '', 2: minute = '', 3: half = '', index: at }) => {
    const hours = (Number(hour) % 12) + (half.toLowerCase().startsWith('p') ? 12 : 0);
    const text = `${String(hours).padStart(2, '0')}:${minute}`;
    const days = dates.filter(date => date.text.includes('-'));
    return [{ text, at }, ...days.map(day => ({ text: `${day.text}T${text}`, at }))];
  });
}

/** Without currency signs and commas. */
function findAmounts(instruction: string): FoundText[] {
  return [...instruction.matchAll(amount)].flatMap(({ 0: text, index: at }) => {
    const plain = text.replaceAll(/[$€£,]/g, '');
    const short = plain.replace(/\.0+$/, '');
    return [...new Set([short, plain])].map((form, doubt) => ({ text: form, at, doubt }));
  });
}

/** Whether a field to search with finds the thing that a text names, perhaps other things, or is no use for it. */
export type SearchFit = 'object' | 'other' | 'none';

/** How well a text fits a field to search with. What is named and not to be seen is looked for, where the field does not find other things. */
export function searchFit(entry: EntryText, words: readonly string[], screen: string): SearchFit {
  const { kind, text, near, doubt } = entry;
  const isObject = (kind === 'quote' || kind === 'name') && !entry.isNew && doubt === 0;
  if (!isObject || isShown(text, screen)) return 'none';
  const kinds = words.filter(word => !searchWords.has(word) && !isStopWord(word));
  return kinds.length === 0 || kinds.some(word => near.has(word)) ? 'object' : 'other';
}

/** Whether a line of the screen has all words of a text: `Okonkwo, Janet` is Janet Okonkwo. */
export function isShown(text: string, screen: string): boolean {
  const words = text.toLowerCase().split(' ');
  return screen
    .toLowerCase()
    .split('\n')
    .some(line => words.every(word => line.includes(word)));
}

const searchWords: ReadonlySet<string> = new Set(comparedWords('search find filter look query'));
