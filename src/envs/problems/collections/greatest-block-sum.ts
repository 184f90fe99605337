import { defineProblem, byLevel } from '../problem.ts';
import { list } from '../types/collections.ts';
import { integer } from '../types/numbers.ts';

export const greatestBlockSum = defineProblem({
  name: 'greatest-block-sum',
  subject: 'collections',
  about: 'The greatest sum of neighbouring numbers.',
  input: list(integer({ low: -10_000, high: 10_000 }), { shortest: 1, longest: 40 }),
  output: integer({ low: -10_000, high: 400_000 }),
  sample: (random, level) => Array.from({ length: length[level] }, () => random.between(-size[level], size[level])),
  wordings: [
    x =>
      `Choose a block of one or more neighbouring numbers of ${x} so that their sum is as great as possible. What is the sum?`,
    x => `What is the maximum sum of a contiguous, non-empty part of ${x}?`,
  ],
  // Kadane.
  solve(numbers) {
    let [best, here] = [Number.NEGATIVE_INFINITY, 0];
    for (const number of numbers) {
      here = Math.max(number, here + number);
      best = Math.max(best, here);
    }
    return best + 0;
  },
  bruteForce(numbers) {
    let best = Number.NEGATIVE_INFINITY;
    for (let start = 0; start < numbers.length; start++) {
      let sum = 0;
      for (const number of numbers.slice(start)) {
        sum += number;
        if (sum > best) best = sum;
      }
    }
    return best + 0;
  },
});

const length = byLevel(5, 9, 16);
const size = byLevel(9, 20, 60);
