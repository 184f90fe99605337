import { defineProblem, byLevel } from '../problem.ts';
import { inAnyOrder, pair } from '../types/collections.ts';
import { integer } from '../types/numbers.ts';

export const lcm = defineProblem({
  name: 'lcm',
  subject: 'number-theory',
  about: 'The least common multiple of two numbers.',
  input: pair(integer({ low: 1, high: 2000 }), integer({ low: 1, high: 2000 })),
  output: integer({ low: 1, high: 4_000_000 }),
  canonical: inAnyOrder,
  sample: (random, level) => [random.between(2, largest[level]), random.between(2, largest[level])] as const,
  wordings: [
    x => `What is the least common multiple of the two numbers in ${x}?`,
    x => `Which is the smallest positive number that both numbers of ${x} divide?`,
  ],
  solve([one, other]) {
    let [a, b] = [one, other];
    while (b > 0) [a, b] = [b, a % b];
    return (one / a) * other;
  },
  bruteForce([one, other]) {
    let multiple = one;
    while (multiple % other !== 0) multiple += one;
    return multiple;
  },
});

const largest = byLevel(12, 40, 200);
