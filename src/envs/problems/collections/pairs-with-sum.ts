import { defineProblem, byLevel } from '../problem.ts';
import { inAnyOrder, list } from '../types/collections.ts';
import { integer } from '../types/numbers.ts';

export const pairsWithSum = defineProblem({
  name: 'pairs-with-sum',
  subject: 'collections',
  about: 'How many pairs of a list add up to a number.',
  input: list(integer({ low: -10_000, high: 10_000 }), { shortest: 2, longest: 40 }),
  output: integer({ low: 0, high: 800 }),
  canonical: inAnyOrder,
  sample: (random, level) => Array.from({ length: length[level] }, () => random.between(1, length[level] + 2)),
  parameters: (numbers, random) => ({ sum: random.sample(numbers, 2).reduce((one, other) => one + other, 0) }),
  wordings: [
    (x, { sum }) => `How many pairs of two different positions in ${x} have numbers that add up to ${sum}?`,
    (x, { sum }) =>
      `In how many ways can two entries of ${x} be chosen whose sum is ${sum}? Entries at different places count as different.`,
  ],
  solve(numbers, { sum }) {
    const seen = new Map<number, number>();
    let count = 0;
    for (const number of numbers) {
      count += seen.get(sum - number) ?? 0;
      seen.set(number, (seen.get(number) ?? 0) + 1);
    }
    return count;
  },
  bruteForce(numbers, { sum }) {
    let count = 0;
    for (let left = 0; left < numbers.length; left++)
      for (let right = left + 1; right < numbers.length; right++)
        if ((numbers[left] as number) + (numbers[right] as number) === sum) count++;
    return count;
  },
});

const length = byLevel(5, 9, 16);
