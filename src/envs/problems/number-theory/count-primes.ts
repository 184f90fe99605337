import { defineProblem, byLevel } from '../problem.ts';
import { integer } from '../types/numbers.ts';

export const countPrimes = defineProblem({
  name: 'count-primes',
  subject: 'number-theory',
  about: 'How many primes there are up to a number.',
  input: integer({ low: 0, high: 3000 }),
  output: integer({ low: 0, high: 3000 }),
  sample: (random, level) => random.between(5, largest[level]),
  wordings: [
    x => `How many prime numbers are there that are not greater than ${x}?`,
    x => `Count the primes from 2 up to ${x}, that number included.`,
  ],
  solve(number) {
    const isCrossed = Array.from({ length: number + 1 }, () => false);
    let count = 0;
    for (let candidate = 2; candidate <= number; candidate++) {
      if (isCrossed[candidate] === true) continue;
      count++;
      for (let multiple = candidate * candidate; multiple <= number; multiple += candidate) isCrossed[multiple] = true;
    }
    return count;
  },
  bruteForce(number) {
    const primes: number[] = [];
    for (let candidate = 2; candidate <= number; candidate++)
      if (primes.every(prime => prime * prime > candidate || candidate % prime !== 0)) primes.push(candidate);
    return primes.length;
  },
});

const largest = byLevel(25, 80, 300);
