import { straight, undressed } from './answer-dress.ts';
import { readDate } from './written-date.ts';
import { readNumber, sameNumber, type WrittenNumber } from './written-number.ts';

/**
 * Answers are compared as people read them: words and signs around an answer, case, spacing, and the notation of a number or a date do not
 * count. The content does: nothing may be missing, added, denied or left open.
 */
export function sameAnswer(given: string | null, expected: string): boolean {
  if (given === null) return false;
  const wanted = normalise(expected);
  return undressed(given).some(layer => isSame(normalise(layer), wanted));
}

function isSame(given: string, wanted: string): boolean {
  if (given === wanted) return true;
  const date = isoDate.test(wanted) ? readDate(wanted) : null;
  if (date !== null) return JSON.stringify(readDate(given)) === JSON.stringify(date);
  const quantity = quantityOf(wanted, plainNumber);
  return (quantity !== null && sameQuantity(quantityOf(given, anyNumber), quantity)) || samePhone(given, wanted);
}

function normalise(text: string): string {
  return straight(text)
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .replace(/\.{1,2}$/, '');
}

const isoDate = /^\d{4}-\d{2}-\d{2}$/;

const units: Readonly<Record<string, string>> = {
  $: 'usd',
  usd: 'usd',
  dollars: 'usd',
  '€': 'eur',
  eur: 'eur',
  euros: 'eur',
  '£': 'gbp',
  gbp: 'gbp',
  '%': '%',
  percent: '%',
};
/** What is expected counts as a number only where it cannot be an id (`007`), a date (`3/12`) or a code (`1e5`). */
const plainNumber = /^-?(?:\d{1,3}(?:,\d{3})+|0|[1-9]\d*)(?:\.\d+)?$/;
/** No number of an answer starts with a needless zero, either: it would be an id. */
const anyNumber = /^[+-]?(?!0\d)[\d.]/;
const unitPattern = /^(?<before>[$€£])? ?(?<number>[^$€£%]*?) ?(?<after>[$€£%]|usd|eur|gbp|dollars|euros|percent)?$/;

interface Quantity {
  readonly number: WrittenNumber;
  readonly unit: string;
}

/** A number with at most one unit: `$1,234.50` is `1234.5 usd`. */
function quantityOf(text: string, pattern: RegExp): Quantity | null {
  const { before, number = '', after } = unitPattern.exec(text)?.groups ?? {};
  if (!pattern.test(number) || (before !== undefined && after !== undefined)) return null;
  const value = readNumber(number);
  return value === null ? null : { number: value, unit: units[before ?? after ?? ''] ?? '' };
}

function sameQuantity(given: Quantity | null, wanted: Quantity): boolean {
  if (given === null || !sameNumber(given.number, wanted.number)) return false;
  return given.unit === '' || wanted.unit === '' || given.unit === wanted.unit;
}

function samePhone(left: string, right: string): boolean {
  const isPhone = (text: string): boolean => /^\+?[\d ()-]{7,}$/.test(text);
  const bare = (text: string): string => text.replaceAll(/[ ()-]/g, '');
  return isPhone(left) && isPhone(right) && bare(left) === bare(right);
}
