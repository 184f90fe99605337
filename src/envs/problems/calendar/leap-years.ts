import { isLeapYear } from '../../../worlds/verdict/written-date.ts';
import { defineProblem, byLevel } from '../problem.ts';
import { pair } from '../types/collections.ts';
import { integer } from '../types/numbers.ts';

export const leapYears = defineProblem({
  name: 'leap-years',
  subject: 'calendar',
  about: 'How many leap years there are between two years.',
  input: pair(integer({ low: 1583, high: 4000 }), integer({ low: 1583, high: 4000 })),
  output: integer({ low: 0, high: 700 }),
  sample(random, level) {
    const first = random.between(1880, 2000);
    return [first, first + random.between(5, span[level])] as const;
  },
  wordings: [
    x =>
      `How many leap years are there from the smaller to the greater of the two years in ${x}, both included, in the Gregorian calendar?`,
    x =>
      `Count the leap years of the Gregorian calendar between the two years of ${x}, the two years themselves included.`,
  ],
  solve([one, other]) {
    const upTo = (year: number): number => Math.floor(year / 4) - Math.floor(year / 100) + Math.floor(year / 400);
    return upTo(Math.max(one, other)) - upTo(Math.min(one, other) - 1);
  },
  bruteForce([one, other]) {
    let count = 0;
    for (let year = Math.min(one, other); year <= Math.max(one, other); year++) if (isLeapYear(year)) count++;
    return count;
  },
});

const span = byLevel(20, 80, 700);
