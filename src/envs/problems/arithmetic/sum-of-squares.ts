import { defineProblem, byLevel } from '../problem.ts';
import { integer } from '../types/numbers.ts';

export const sumOfSquares = defineProblem({
  name: 'sum-of-squares',
  subject: 'arithmetic',
  about: 'The sum of the first square numbers.',
  input: integer({ low: 1, high: 10_000 }),
  output: integer({ low: 1, high: 10 ** 12 }),
  sample: (random, level) => random.between(2, largest[level]),
  wordings: [
    x => `What is the sum of the squares of all whole numbers from 1 to ${x}?`,
    x => `Add the square numbers 1, 4, 9, … up to the square of ${x}. What is the sum?`,
  ],
  solve: number => (number * (number + 1) * (2 * number + 1)) / 6,
  bruteForce(number) {
    let sum = 0;
    for (let root = 1; root <= number; root++) sum += root * root;
    return sum;
  },
});

const largest = byLevel(15, 30, 100);
