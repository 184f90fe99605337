import { defineProblem, byLevel } from '../problem.ts';
import { pair } from '../types/collections.ts';
import { integer } from '../types/numbers.ts';

export const chineseRemainder = defineProblem({
  name: 'chinese-remainder',
  subject: 'number-theory',
  about: 'The smallest number with two given remainders.',
  input: pair(integer({ low: 0, high: 100 }), integer({ low: 0, high: 100 })),
  output: integer({ low: 0, high: 10_000 }),
  sample: (random, level) => [random.between(0, smallest[level] - 1), random.between(0, smallest[level] - 1)] as const,
  parameters([one, other], random, level) {
    const [first, second] = random.pick(moduli[level]);
    return one < first && other < second ? { first, second } : null;
  },
  wordings: [
    (x, { first, second }) =>
      `Take the two numbers in ${x}. What is the smallest whole number from 0 on that leaves the first as remainder when divided by ${first}, and the second when divided by ${second}?`,
    (x, { first, second }) =>
      `A number has the remainders ${x}: the first when it is divided by ${first}, the second when it is divided by ${second}. What is the smallest such number that is not negative?`,
  ],
  solve([one, other], { first, second }) {
    let number = one;
    while (number % second !== other) number += first;
    return number;
  },
  bruteForce([one, other], { first, second }) {
    const fitting = Array.from({ length: first * second }, (_, number) => number).filter(
      number => number % first === one,
    );
    return fitting.find(number => number % second === other) ?? -1;
  },
});

const smallest = byLevel(3, 7, 13);
const moduli = byLevel<readonly (readonly [number, number])[]>(
  [
    [3, 4],
    [4, 5],
    [3, 7],
  ],
  [
    [7, 9],
    [8, 11],
    [7, 12],
  ],
  [
    [13, 17],
    [16, 25],
    [19, 27],
  ],
);
