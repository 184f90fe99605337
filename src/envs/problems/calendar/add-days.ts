import { daysInMonth } from '../../../worlds/verdict/written-date.ts';
import { defineProblem, byLevel } from '../problem.ts';
import { date } from '../types/words.ts';

export const addDays = defineProblem({
  name: 'add-days',
  subject: 'calendar',
  about: 'The date some days after another.',
  input: date,
  output: date,
  sample: random => ({ year: random.between(1990, 2030), month: random.between(1, 12), day: random.between(1, 28) }),
  parameters: ({ year }, random, level) => (year > 9990 ? null : { days: random.between(3, most[level]) }),
  wordings: [
    (x, { days }) => `Which date is ${days} days after ${x}?`,
    (x, { days }) => `Count ${days} days on from ${x}. Which date is that?`,
  ],
  solve({ year, month, day }, { days }) {
    const now = { year, month, day: day + days };
    while (now.day > daysInMonth(now.year, now.month)) {
      now.day -= daysInMonth(now.year, now.month);
      now.month++;
      if (now.month > 12) [now.year, now.month] = [now.year + 1, 1];
    }
    return now;
  },
  bruteForce({ year, month, day }, { days }) {
    const then = new Date(Date.UTC(year, month - 1, day) + days * 86_400_000);
    return { year: then.getUTCFullYear(), month: then.getUTCMonth() + 1, day: then.getUTCDate() };
  },
});

const most = byLevel(20, 100, 900);
