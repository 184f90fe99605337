import { defineProblem, byLevel } from '../problem.ts';
import { inAnyOrder, list, pair } from '../types/collections.ts';
import { integer } from '../types/numbers.ts';

export const freeMinutes = defineProblem({
  name: 'free-minutes',
  subject: 'schedules',
  about: 'How much time is left between appointments.',
  input: list(pair(integer({ low: 0, high: 600 }), integer({ low: 0, high: 600 })), { shortest: 1, longest: 12 }),
  output: integer({ low: 0, high: 600 }),
  canonical: inAnyOrder,
  sample: (random, level) =>
    Array.from({ length: count[level] }, () => {
      const start = random.between(0, 50) * 10;
      return [start, start + random.between(1, 10) * 10] as const;
    }),
  parameters: given => (given.every(([start, end]) => start < end) ? {} : null),
  wordings: [
    x =>
      `A day lasts from minute 0 to minute 600. Appointments take the times ${x} (start, end), and may overlap. How many minutes are free?`,
    x =>
      `Of the 600 minutes of a working day, those in ${x} (from, to) are taken; times may overlap. How many minutes are left?`,
  ],
  solve(given) {
    let [free, until] = [0, 0];
    for (const [start, end] of given.toSorted(([one], [other]) => one - other)) {
      free += Math.max(0, start - until);
      until = Math.max(until, end);
    }
    return free + 600 - until;
  },
  bruteForce(given) {
    let free = 0;
    for (let minute = 0; minute < 600; minute++)
      if (!given.some(([start, end]) => start <= minute && minute < end)) free++;
    return free;
  },
});

const count = byLevel(2, 4, 9);
