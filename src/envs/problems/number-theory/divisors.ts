import { defineProblem, byLevel } from '../problem.ts';
import { distinct, set } from '../types/collections.ts';
import { integer } from '../types/numbers.ts';

export const divisors = defineProblem({
  name: 'divisors',
  subject: 'number-theory',
  about: 'All positive divisors of a number.',
  input: integer({ low: 1, high: 100_000 }),
  output: set(integer({ low: 1, high: 100_000 }), { shortest: 1, longest: 200 }),
  sample: (random, level) => random.between(4, largest[level]),
  wordings: [
    x => `What are all the positive divisors of ${x}, 1 and the number itself included?`,
    x => `List every positive whole number that divides ${x}.`,
  ],
  solve(number) {
    const found: number[] = [];
    for (let divisor = 1; divisor * divisor <= number; divisor++)
      if (number % divisor === 0) found.push(divisor, number / divisor);
    return distinct(found);
  },
  // Products of the powers of its primes.
  bruteForce(number) {
    let found = [1];
    let rest = number;
    for (let prime = 2; rest > 1; prime++) {
      const before = found;
      for (let power = prime; rest % prime === 0; power *= prime) {
        rest /= prime;
        found = found.concat(before.map(divisor => divisor * power));
      }
    }
    return distinct(found);
  },
});

const largest = byLevel(30, 120, 1000);
