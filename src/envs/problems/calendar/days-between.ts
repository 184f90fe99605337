import { daysInMonth, type CalendarDate } from '../../../worlds/verdict/written-date.ts';
import { defineProblem, byLevel } from '../problem.ts';
import { inAnyOrder, pair } from '../types/collections.ts';
import { integer } from '../types/numbers.ts';
import { date } from '../types/words.ts';

export const daysBetween = defineProblem({
  name: 'days-between',
  subject: 'calendar',
  about: 'The days from one date to another.',
  input: pair(date, date),
  output: integer({ low: 0, high: 4_000_000 }),
  canonical: inAnyOrder,
  sample(random, level) {
    const year = random.between(1990, 2030);
    const dates = Array.from({ length: 2 }, () => ({
      year: year + random.between(0, span[level]),
      month: random.between(1, 12),
      day: random.between(1, 28),
    }));
    return dates as [(typeof dates)[number], (typeof dates)[number]];
  },
  wordings: [
    x => `How many days are there from the earlier to the later of the two dates in ${x}?`,
    x => `By how many days do the two dates of ${x} lie apart?`,
  ],
  solve: ([one, other]) => Math.abs(dayNumber(one) - dayNumber(other)),
  bruteForce([one, other]) {
    const time = ({ year, month, day }: CalendarDate): number => new Date(Date.UTC(year, month - 1, day)).getTime();
    return Math.round(Math.abs(time(one) - time(other)) / 86_400_000);
  },
});

const span = byLevel(0, 1, 9);

/** Days since the beginning of the year 0. */
function dayNumber({ year, month, day }: CalendarDate): number {
  const before = year - 1;
  let days = 365 * before + Math.floor(before / 4) - Math.floor(before / 100) + Math.floor(before / 400) + day;
  for (let earlier = 1; earlier < month; earlier++) days += daysInMonth(year, earlier);
  return days;
}
