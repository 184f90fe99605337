import { defineProblem, byLevel } from '../problem.ts';
import { list } from '../types/collections.ts';
import { integer } from '../types/numbers.ts';

export const primeFactors = defineProblem({
  name: 'prime-factors',
  subject: 'number-theory',
  about: 'The prime factors of a number, each as often as it divides.',
  input: integer({ low: 2, high: 10 ** 6 }),
  output: list(integer({ low: 2, high: 10 ** 6 }), { shortest: 1, longest: 20 }),
  sample: (random, level) => random.between(4, largest[level]),
  wordings: [
    x => `What are the prime factors of ${x}? List each as often as it divides the number, in ascending order.`,
    x => `Write ${x} as a product of primes. List the primes in ascending order, repeated ones as often as they occur.`,
  ],
  solve(number) {
    const factors: number[] = [];
    let rest = number;
    for (let prime = 2; prime * prime <= rest; prime++) {
      for (; rest % prime === 0; rest /= prime) factors.push(prime);
    }
    return rest > 1 ? [...factors, rest] : factors;
  },
  // Splits a number into two factors until none can be split.
  bruteForce(number) {
    const split = (value: number): number[] => {
      for (let factor = Math.floor(Math.sqrt(value)); factor > 1; factor--)
        if (value % factor === 0) return [...split(factor), ...split(value / factor)];
      return [value];
    };
    return split(number).toSorted((one, other) => one - other);
  },
});

const largest = byLevel(60, 400, 9999);
