import { daysInMonth } from '../../../worlds/verdict/written-date.ts';
import { defineProblem, byLevel } from '../problem.ts';
import { pair } from '../types/collections.ts';
import { integer } from '../types/numbers.ts';
import { date } from '../types/words.ts';

export const nthWeekday = defineProblem({
  name: 'nth-weekday',
  subject: 'calendar',
  about: 'A date such as the third Tuesday of a month.',
  input: pair(integer({ low: 1600, high: 2400 }), integer({ low: 1, high: 12 })),
  output: date,
  sample: (random, level) => [random.between(...years[level]), random.between(1, 12)] as const,
  parameters: (_, random) => ({ weekday: random.between(0, 6), rank: random.between(1, 4) }),
  wordings: [
    (x, { weekday, rank }) =>
      `The two numbers in ${x} are a year and a month. Which date is ${names[weekday] ?? ''} number ${rank} of that month, in the Gregorian calendar?`,
    (x, { weekday, rank }) =>
      `Take the year and the month in ${x}. On which date does the ${ordinals[rank] ?? ''} ${names[weekday] ?? ''} of the month fall?`,
  ],
  solve([year, month], { weekday, rank }) {
    const first = new Date(Date.UTC(year, month - 1, 1)).getUTCDay();
    return { year, month, day: 1 + ((weekday - first + 7) % 7) + 7 * (rank - 1) };
  },
  bruteForce([year, month], { weekday, rank }) {
    let seen = 0;
    for (let day = 1; day <= daysInMonth(year, month); day++) {
      if (new Date(Date.UTC(year, month - 1, day)).getUTCDay() === weekday) seen++;
      if (seen === rank) return { year, month, day };
    }
    return { year, month, day: 1 };
  },
});

const years = byLevel<readonly [number, number]>([2020, 2029], [1970, 2040], [1700, 2300]);
const names = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const ordinals = ['', 'first', 'second', 'third', 'fourth'];
