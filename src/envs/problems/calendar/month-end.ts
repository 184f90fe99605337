import { count } from '../../../core/text.ts';
import { daysInMonth } from '../../../worlds/verdict/written-date.ts';
import { defineProblem, byLevel } from '../problem.ts';
import { date } from '../types/words.ts';

export const monthEnd = defineProblem({
  name: 'month-end',
  subject: 'calendar',
  about: 'The last day of the month some months later.',
  input: date,
  output: date,
  sample: random => ({ year: random.between(1990, 2030), month: random.between(1, 12), day: random.between(1, 28) }),
  parameters: ({ year }, random, level) => (year > 9980 ? null : { months: random.between(1, most[level]) }),
  wordings: [
    (x, { months }) =>
      `What is the last day of the month that comes ${count(Number(months), 'month')} after the month of ${x}?`,
    (x, { months }) =>
      `Go ${count(Number(months), 'month')} on from the month of ${x}. Which date is the last day of that month?`,
  ],
  solve({ year, month }, { months }) {
    const index = year * 12 + month - 1 + months;
    const [laterYear, laterMonth] = [Math.floor(index / 12), (index % 12) + 1];
    return { year: laterYear, month: laterMonth, day: daysInMonth(laterYear, laterMonth) };
  },
  bruteForce({ year, month }, { months }) {
    const end = new Date(Date.UTC(year, month + months, 0));
    return { year: end.getUTCFullYear(), month: end.getUTCMonth() + 1, day: end.getUTCDate() };
  },
});

const most = byLevel(6, 20, 90);
