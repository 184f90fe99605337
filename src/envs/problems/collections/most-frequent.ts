import { defineProblem, byLevel } from '../problem.ts';
import { inAnyOrder, list } from '../types/collections.ts';
import { integer } from '../types/numbers.ts';

export const mostFrequent = defineProblem({
  name: 'most-frequent',
  subject: 'collections',
  about: 'The number that stands in a list most often.',
  input: list(integer({ low: -100_000, high: 100_000 }), { shortest: 1, longest: 40 }),
  output: integer({ low: -100_000, high: 100_000 }),
  canonical: inAnyOrder,
  sample: (random, level) => Array.from({ length: length[level] }, () => random.between(1, kinds[level])),
  wordings: [
    x => `Which number stands most often in ${x}? If several do, give the smallest of them.`,
    x => `What is the mode of ${x}? Of several, take the smallest.`,
  ],
  solve(numbers) {
    const counts = new Map<number, number>();
    for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1);
    const most = Math.max(...counts.values());
    return Math.min(...[...counts].filter(([, count]) => count === most).map(([number]) => number));
  },
  bruteForce(numbers) {
    const count = (wanted: number): number => numbers.filter(number => number === wanted).length;
    return numbers.reduce((best, number) =>
      count(number) > count(best) || (count(number) === count(best) && number < best) ? number : best,
    );
  },
});

const length = byLevel(6, 10, 20);
const kinds = byLevel(5, 7, 9);
