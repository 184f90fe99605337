import { defineProblem, byLevel } from '../problem.ts';
import { choice, date } from '../types/words.ts';

export const weekday = defineProblem({
  name: 'weekday',
  subject: 'calendar',
  about: 'The weekday of a date.',
  input: date,
  output: choice(['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']),
  sample: (random, level) => ({
    year: random.between(...years[level]),
    month: random.between(1, 12),
    day: random.between(1, 28),
  }),
  wordings: [
    x => `Which day of the week is ${x}, in the Gregorian calendar?`,
    x => `On which weekday does ${x} fall, in the Gregorian calendar?`,
  ],
  // Zeller.
  solve({ year, month, day }) {
    const [y, m] = month < 3 ? [year - 1, month + 12] : [year, month];
    const index =
      (day + Math.floor((13 * (m + 1)) / 5) + y + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400)) % 7;
    return (['Saturday', 'Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'] as const)[index] ?? 'Sunday';
  },
  // Days since 1 January 2001, a Monday.
  bruteForce({ year, month, day }) {
    const time = new Date(Date.UTC(year, month - 1, day)).getTime() - Date.UTC(2001, 0, 1);
    const index = (((time / 86_400_000) % 7) + 7) % 7;
    return (['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const)[index] ?? 'Monday';
  },
});

const years = byLevel<readonly [number, number]>([2020, 2029], [1950, 2050], [1600, 2400]);
