import { defineProblem, byLevel } from '../problem.ts';
import { integer } from '../types/numbers.ts';

export const nextPrime = defineProblem({
  name: 'next-prime',
  subject: 'number-theory',
  about: 'The smallest prime above a number.',
  input: integer({ low: 0, high: 100_000 }),
  output: integer({ low: 2, high: 100_200 }),
  sample: (random, level) => random.between(3, largest[level]),
  wordings: [x => `What is the smallest prime number greater than ${x}?`, x => `Which prime comes first after ${x}?`],
  solve(number) {
    let candidate = number + 1;
    for (; ; candidate++) {
      let isPrime = candidate > 1;
      for (let factor = 2; isPrime && factor * factor <= candidate; factor++) isPrime = candidate % factor !== 0;
      if (isPrime) return candidate;
    }
  },
  // Crosses out multiples in a window above the number.
  bruteForce(number) {
    const marked = new Set<number>();
    for (let factor = 2; factor <= 320; factor++) {
      const first = Math.max(2, Math.ceil((number + 1) / factor));
      for (let times = first; times * factor <= number + 200; times++) marked.add(times * factor);
    }
    let candidate = Math.max(2, number + 1);
    while (marked.has(candidate)) candidate++;
    return candidate;
  },
});

const largest = byLevel(40, 300, 5000);
