import { defineProblem, byLevel } from '../problem.ts';
import { inAnyOrder, list } from '../types/collections.ts';
import { integer } from '../types/numbers.ts';

export const sumList = defineProblem({
  name: 'sum-list',
  subject: 'arithmetic',
  about: 'The sum of a list of integers.',
  input: list(integer({ low: -10_000, high: 10_000 }), { shortest: 1, longest: 50 }),
  output: integer({ low: -500_000, high: 500_000 }),
  canonical: inAnyOrder,
  sample: (random, level) => Array.from({ length: length[level] }, () => random.between(-size[level], size[level])),
  wordings: [x => `What is the sum of the numbers in ${x}?`, x => `Add up all the numbers of ${x}. What do you get?`],
  solve: numbers => numbers.reduce((sum, number) => sum + number, 0),
  // Adds what is above 0 and what is below it apart.
  bruteForce(numbers) {
    const above = numbers.filter(number => number > 0).toSorted((one, other) => one - other);
    const below = numbers.filter(number => number < 0).map(number => -number);
    let [total, debt] = [0, 0];
    for (const number of above) total += number;
    for (const number of below) debt += number;
    return total - debt;
  },
});

const length = byLevel(3, 6, 12);
const size = byLevel(20, 200, 2000);
