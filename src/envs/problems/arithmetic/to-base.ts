import { defineProblem, byLevel } from '../problem.ts';
import { integer } from '../types/numbers.ts';
import { text } from '../types/words.ts';

export const toBase = defineProblem({
  name: 'to-base',
  subject: 'arithmetic',
  about: 'A number in another base.',
  input: integer({ low: 0, high: 10 ** 9 }),
  output: text({ characters: '0-9a-f', longest: 40, of: 'digits and letters from a to f', example: '1a3' }),
  sample: (random, level) => random.between(5, largest[level]),
  parameters: (_, random, level) => ({ base: random.pick(bases[level]) }),
  wordings: [
    (x, { base }) => `Write ${x} in base ${base}.${letters(base)}`,
    (x, { base }) => `What is the number ${x} in the number system with base ${base}?${letters(base)}`,
  ],
  solve: (number, { base }) => number.toString(base),
  bruteForce(number, { base }) {
    let place = 1;
    while (place * base <= number) place *= base;
    let [digits, rest] = ['', number];
    for (; place >= 1; place /= base) {
      const digit = Math.floor(rest / place);
      digits += '0123456789abcdef'[digit] as string;
      rest -= digit * place;
    }
    return digits;
  },
});

const largest = byLevel(40, 500, 20_000);
const bases = byLevel([2], [2, 3, 8], [2, 5, 7, 16]);

function letters(base: number): string {
  return base > 10 ? ' Use small letters for digits above 9.' : '';
}
