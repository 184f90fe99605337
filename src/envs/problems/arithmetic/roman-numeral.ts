import { defineProblem, byLevel } from '../problem.ts';
import { integer } from '../types/numbers.ts';
import { text } from '../types/words.ts';

export const romanNumeral = defineProblem({
  name: 'roman-numeral',
  subject: 'arithmetic',
  about: 'A number as a Roman numeral.',
  input: integer({ low: 1, high: 3999 }),
  output: text({ characters: 'IVXLCDM', longest: 20, of: 'the letters I, V, X, L, C, D and M', example: 'XIV' }),
  sample: (random, level) => random.between(4, largest[level]),
  wordings: [x => `Write ${x} as a Roman numeral.`, x => `What is the number ${x} in Roman numerals?`],
  solve(number) {
    let [numeral, rest] = ['', number];
    for (const [value, letters] of values) {
      for (; rest >= value; rest -= value) numeral += letters;
    }
    return numeral;
  },
  // Digit by digit, with the pattern of each.
  bruteForce(number) {
    const marks = ['IVX', 'XLC', 'CDM', 'M'];
    const patterns = ['', 'a', 'aa', 'aaa', 'ab', 'b', 'ba', 'baa', 'baaa', 'ac'];
    const digits = [...String(number)].toReversed();
    const written = digits.map((digit, place) =>
      (patterns[Number(digit)] as string).replaceAll(
        /[abc]/g,
        mark => (marks[place] as string)['abc'.indexOf(mark)] ?? '',
      ),
    );
    return written.toReversed().join('');
  },
});

const largest = byLevel(30, 300, 3999);
const values: readonly (readonly [number, string])[] = [
  [1000, 'M'],
  [900, 'CM'],
  [500, 'D'],
  [400, 'CD'],
  [100, 'C'],
  [90, 'XC'],
  [50, 'L'],
  [40, 'XL'],
  [10, 'X'],
  [9, 'IX'],
  [5, 'V'],
  [4, 'IV'],
  [1, 'I'],
];
