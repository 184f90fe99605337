import { findMentions } from '../learned/reading/mentions.ts';
import { comparedWord, comparedWords } from './page-words.ts';

/** A text that the instruction gives to enter into a field. */
export interface EntryText {
  readonly text: string;
  readonly kind: 'quote' | 'address' | 'number' | 'date' | 'name';
  /** Words near it in the instruction: they often name its field. */
  readonly near: ReadonlySet<string>;
}

const months = 'January February March April May June July August September October November December'.split(' ');
const monthNames = months.map(name => `${name}|${name.slice(0, 3)}`).join('|');
const monthFirst = new RegExp(String.raw`\b(${monthNames})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})\b`, 'g');
const dayFirst = new RegExp(String.raw`\b(\d{1,2}) (${monthNames})\.?,? (\d{4})\b`, 'g');
const isoDate = /\b(\d{4})-(\d{2})-(\d{2})\b/g;
const clockTime = /\b(\d{1,2}):(\d{2})\s*([ap]\.?m)\b/gi;
const colour = /#(?:[\da-f]{6}|[\da-f]{3})\b/gi;
/** Digits of a name such as INV-0058 are none. */
const amount = /(?<![a-z]-\d*)[$€£]?\d[\d,]*(?:\.\d+)?/gi;

/** The texts of an instruction that may be entered into fields, in the forms that fields accept. */
export function findEntryTexts(instruction: string): readonly EntryText[] {
  const found = new Map<string, EntryText>();
  const add = (entry: EntryText): void => {
    if (!found.has(entry.text)) found.set(entry.text, entry);
  };
  for (const { text, shape, left, clause, noun } of findMentions(instruction)) {
    const kind = shape === 'quoted' || shape === 'sentence' ? 'quote' : shape === 'code' ? 'name' : shape;
    add({ text, kind, near: new Set([...left, ...noun, ...clause.slice(0, 8)].map(comparedWord)) });
  }
  for (const { 0: text, index } of instruction.matchAll(colour))
    add({ text, kind: 'quote', near: wordsBefore(instruction, index) });
  const dates = findDates(instruction);
  for (const { text, at } of [...dates, ...findTimes(instruction, dates), ...findAmounts(instruction)])
    add({ text, kind: /[-/:]/.test(text) ? 'date' : 'number', near: wordsBefore(instruction, at) });
  return [...found.values()];
}

interface FoundText {
  readonly text: string;
  readonly at: number;
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
    return [plain, ...(short === plain ? [] : [short])].map(form => ({ text: form, at }));
  });
}
