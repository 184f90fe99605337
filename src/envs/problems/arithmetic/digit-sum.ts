import { defineProblem, byLevel } from '../problem.ts';
import { integer } from '../types/numbers.ts';

export const digitSum = defineProblem({
  name: 'digit-sum',
  subject: 'arithmetic',
  about: 'The sum of the decimal digits of a number.',
  input: integer({ low: 0, high: 10 ** 12 }),
  output: integer({ low: 0, high: 200 }),
  sample: (random, level) => random.between(10, largest[level]),
  wordings: [
    x => `What is the sum of the decimal digits of ${x}?`,
    x => `Add up the decimal digits of the number ${x}. What is the result?`,
  ],
  solve: number => [...String(number)].reduce((sum, digit) => sum + Number(digit), 0),
  bruteForce(number) {
    let sum = 0;
    for (let rest = number; rest > 0; rest = Math.floor(rest / 10)) sum += rest % 10;
    return sum;
  },
});

const largest = byLevel(999, 999_999, 999_999_999_999);
