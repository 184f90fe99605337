import { defineProblem, byLevel } from '../problem.ts';
import { inAnyOrder, pair } from '../types/collections.ts';
import { integer } from '../types/numbers.ts';

export const gcd = defineProblem({
  name: 'gcd',
  subject: 'number-theory',
  about: 'The greatest common divisor of two numbers.',
  input: pair(integer({ low: 1, high: 10 ** 6 }), integer({ low: 1, high: 10 ** 6 })),
  output: integer({ low: 1, high: 10 ** 6 }),
  canonical: inAnyOrder,
  sample(random, level) {
    const shared = random.between(2, factor[level]);
    return [shared * random.between(2, factor[level]), shared * random.between(2, factor[level])] as const;
  },
  wordings: [
    x => `What is the greatest common divisor of the two numbers in ${x}?`,
    x => `Which is the largest number that divides both numbers of ${x}?`,
  ],
  solve([one, other]) {
    let [a, b] = [one, other];
    while (b > 0) [a, b] = [b, a % b];
    return a;
  },
  bruteForce([one, other]) {
    let found = Math.min(one, other);
    while (one % found !== 0 || other % found !== 0) found--;
    return found;
  },
});

const factor = byLevel(8, 20, 60);
