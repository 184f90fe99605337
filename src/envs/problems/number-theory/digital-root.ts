import { defineProblem, byLevel } from '../problem.ts';
import { integer } from '../types/numbers.ts';

export const digitalRoot = defineProblem({
  name: 'digital-root',
  subject: 'number-theory',
  about: 'The digit that is left when digits are added again and again.',
  input: integer({ low: 0, high: 10 ** 12 }),
  output: integer({ low: 0, high: 9 }),
  sample: (random, level) => random.between(10, largest[level]),
  wordings: [
    x => `Add the digits of ${x}, then the digits of the result, and so on, until one digit is left. Which one?`,
    x => `What is the digital root of ${x}: its digits are summed repeatedly until a single digit remains?`,
  ],
  solve: number => (number === 0 ? 0 : 1 + ((number - 1) % 9)),
  bruteForce(number) {
    let value = number;
    while (value > 9) value = [...String(value)].reduce((sum, digit) => sum + Number(digit), 0);
    return value;
  },
});

const largest = byLevel(99, 9999, 99_999_999);
