import { defineProblem, byLevel } from '../problem.ts';
import { pair } from '../types/collections.ts';
import { integer } from '../types/numbers.ts';

export const divideWithRemainder = defineProblem({
  name: 'divide-with-remainder',
  subject: 'arithmetic',
  about: 'Quotient and remainder of a division of whole numbers.',
  input: pair(integer({ low: 0, high: 10 ** 9 }), integer({ low: 1, high: 10 ** 6 })),
  output: pair(integer({ low: 0, high: 10 ** 9 }), integer({ low: 0, high: 10 ** 6 })),
  sample: (random, level) => [random.between(10, largest[level]), random.between(2, divisor[level])] as const,
  wordings: [
    x => `Take the two numbers in ${x}. Divide the first by the second: what are the quotient and the remainder?`,
    x =>
      `The first number of ${x} is divided by the second one, without a fraction. Give the quotient and the remainder.`,
  ],
  solve: ([number, by]) => [Math.floor(number / by), number % by] as const,
  // Long division, digit by digit.
  bruteForce([number, by]) {
    let [quotient, rest] = [0, 0];
    for (const digit of String(number)) {
      rest = rest * 10 + Number(digit);
      let times = 0;
      while (rest >= by) {
        rest -= by;
        times++;
      }
      quotient = quotient * 10 + times;
    }
    return [quotient, rest] as const;
  },
});

const largest = byLevel(99, 9999, 9_999_999);
const divisor = byLevel(9, 99, 999);
