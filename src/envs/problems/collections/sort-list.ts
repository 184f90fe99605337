import { defineProblem, byLevel } from '../problem.ts';
import { inAnyOrder, list } from '../types/collections.ts';
import { integer } from '../types/numbers.ts';

export const sortList = defineProblem({
  name: 'sort-list',
  subject: 'collections',
  about: 'A list of integers in ascending order.',
  input: list(integer({ low: -100_000, high: 100_000 }), { shortest: 1, longest: 40 }),
  output: list(integer({ low: -100_000, high: 100_000 }), { shortest: 1, longest: 40 }),
  canonical: inAnyOrder,
  sample: (random, level) => Array.from({ length: length[level] }, () => random.between(-size[level], size[level])),
  wordings: [
    x => `Sort the numbers in ${x} from the smallest to the greatest. Keep equal ones.`,
    x => `Put ${x} in ascending order, repeated numbers included.`,
  ],
  solve: numbers => numbers.toSorted((one, other) => one - other),
  bruteForce(numbers) {
    const sorted: number[] = [];
    for (const number of numbers) sorted.splice(sorted.filter(other => other <= number).length, 0, number);
    return sorted;
  },
});

const length = byLevel(4, 8, 15);
const size = byLevel(20, 100, 500);
