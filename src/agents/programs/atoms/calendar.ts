import { atom, type Atom } from './atom.ts';

const day = 86_400_000;
const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

function timeOf(date: string): number {
  return Date.parse(`${date}T00:00:00Z`);
}

function dateAt(time: number): string | undefined {
  const date = new Date(time);
  const year = date.getUTCFullYear();
  return Number.isNaN(time) || !(year >= 1000 && year <= 9999) ? undefined : date.toISOString().slice(0, 10);
}

/** The day before the first of the next month but so many. */
function monthEnd(date: string, months: number): string | undefined {
  if (!Number.isInteger(months) || Math.abs(months) > 10_000) return undefined;
  const at = new Date(timeOf(date));
  return dateAt(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months + 1, 0));
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

function daysFrom(from: string, to: string): number {
  return Math.round((timeOf(to) - timeOf(from)) / day);
}

export const calendarAtoms: readonly Atom[] = [
  atom<string>('weekday', ['date'], a => weekdays[new Date(timeOf(a as string)).getUTCDay()]),
  atom<string>('year', ['date'], a => Number(a?.slice(0, 4))),
  atom<string>('month', ['date'], a => Number(a?.slice(5, 7))),
  atom<string>('day', ['date'], a => Number(a?.slice(8))),
  atom<string>('start of year', ['date'], a => `${a?.slice(0, 4)}-01-01`),
  atom<string>('end of month', ['date'], a => monthEnd(a as string, 0)),
  atom('end of month after', ['date', 'number'], (a, b) => monthEnd(a as string, b as number)),
  atom('days later', ['date', 'number'], (a, b) =>
    Number.isInteger(b) ? dateAt(timeOf(a as string) + Number(b) * day) : undefined,
  ),
  atom<string>('days from', ['date', 'date'], (a, b) => daysFrom(a as string, b as string)),
  atom<readonly string[]>('days from', ['dates'], a =>
    a?.length === 2 ? daysFrom(a[0] as string, a[1] as string) : undefined,
  ),
  atom<readonly string[]>('sort', ['dates'], a => a?.toSorted()),
  atom<readonly number[]>('keep leap years', ['numbers'], a => a?.filter(isLeap)),
];
