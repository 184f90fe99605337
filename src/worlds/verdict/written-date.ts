/** A day of the calendar that is in use today, also for the years before it was. */
export type CalendarDate = { readonly year: number; readonly month: number; readonly day: number };

const months = 'january february march april may june july august september october november december'.split(' ');

/** The day in a notation that can be read in one way only; null for anything else, `05/03/2024` included. */
export function readDate(text: string): CalendarDate | null {
  const value = dateIn(text);
  return value !== null && isDate(value) ? value : null;
}

export function isDate(value: CalendarDate | null): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { year, month, day } = value;
  if (![year, month, day].every(Number.isSafeInteger)) return false;
  if (year < 1000 || year > 9999 || month < 1 || month > 12) return false;
  return day >= 1 && day <= daysInMonth(year, month);
}

export function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

export function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

function dateIn(given: string): CalendarDate | null {
  const yearFirst = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/.exec(given);
  if (yearFirst !== null) return { year: Number(yearFirst[1]), month: Number(yearFirst[3]), day: Number(yearFirst[4]) };
  const dayFirst = /^(\d{1,2})(?:st|nd|rd|th)?(?: of)? ([a-z]+),? (\d{4})$/i.exec(given);
  const monthFirst = /^([a-z]+) (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/i.exec(given);
  const [day, word, year] = dayFirst?.slice(1) ?? [monthFirst?.[2], monthFirst?.[1], monthFirst?.[3]];
  const month = months.findIndex(name => name === word?.toLowerCase() || name.slice(0, 3) === word?.toLowerCase());
  return month < 0 ? null : { year: Number(year), month: month + 1, day: Number(day) };
}
