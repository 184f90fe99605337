import { daysInMonth } from '../../../worlds/verdict/written-date.ts';
import { defineProblem, byLevel } from '../problem.ts';
import { integer } from '../types/numbers.ts';
import { date } from '../types/words.ts';

export const dayOfYear = defineProblem({
  name: 'day-of-year',
  subject: 'calendar',
  about: 'The number of a day in its year.',
  input: date,
  output: integer({ low: 1, high: 366 }),
  sample: (random, level) => ({
    year: random.between(1990, 2030),
    month: random.between(1, last[level]),
    day: random.between(1, 28),
  }),
  wordings: [
    x => `Which day of its year is ${x}, when 1 January is day 1?`,
    x => `How many days of its year have begun on ${x}, that day included?`,
  ],
  solve({ year, month, day }) {
    let days = day;
    for (let earlier = 1; earlier < month; earlier++) days += daysInMonth(year, earlier);
    return days;
  },
  bruteForce: ({ year, month, day }) => (Date.UTC(year, month - 1, day) - Date.UTC(year, 0, 0)) / 86_400_000,
});

const last = byLevel(4, 8, 12);
