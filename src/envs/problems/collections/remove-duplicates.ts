import { defineProblem, byLevel } from '../problem.ts';
import { list } from '../types/collections.ts';
import { integer } from '../types/numbers.ts';

export const removeDuplicates = defineProblem({
  name: 'remove-duplicates',
  subject: 'collections',
  about: 'A list with each number only where it stands first.',
  input: list(integer({ low: -100_000, high: 100_000 }), { longest: 40 }),
  output: list(integer({ low: -100_000, high: 100_000 }), { longest: 40 }),
  sample: (random, level) => Array.from({ length: length[level] }, () => random.between(1, length[level] - 1)),
  wordings: [
    x => `Remove from ${x} every number that stood there before. Keep the order.`,
    x => `Keep only the first occurrence of each number in ${x}, in the same order.`,
  ],
  solve: numbers => [...new Set(numbers)],
  bruteForce: numbers => numbers.filter((number, index) => !numbers.slice(0, index).includes(number)),
});

const length = byLevel(6, 10, 18);
