import { defineProblem, byLevel } from '../problem.ts';
import { integer } from '../types/numbers.ts';
import { date } from '../types/words.ts';

export const workingDays = defineProblem({
  name: 'working-days',
  subject: 'calendar',
  about: 'How many days from Monday to Friday lie in some days from a date on.',
  input: date,
  output: integer({ low: 0, high: 400 }),
  sample: random => ({ year: random.between(2000, 2030), month: random.between(1, 12), day: random.between(1, 28) }),
  parameters: ({ year }, random, level) => (year > 9990 ? null : { days: random.between(5, most[level]) }),
  wordings: [
    (x, { days }) => `How many of the ${days} days that begin with ${x} are from Monday to Friday?`,
    (x, { days }) =>
      `Take ${x} and the days after it, ${days} days in all. How many of them are no Saturday or Sunday?`,
  ],
  solve({ year, month, day }, { days }) {
    const first = (new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7;
    let count = Math.floor(days / 7) * 5;
    for (let rest = 0; rest < days % 7; rest++) if ((first + rest) % 7 < 5) count++;
    return count;
  },
  bruteForce({ year, month, day }, { days }) {
    let count = 0;
    for (let later = 0; later < days; later++) {
      const name = new Date(Date.UTC(year, month - 1, day + later)).toUTCString().slice(0, 3);
      if (name !== 'Sat' && name !== 'Sun') count++;
    }
    return count;
  },
});

const most = byLevel(12, 40, 200);
