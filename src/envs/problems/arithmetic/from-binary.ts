import { defineProblem, byLevel } from '../problem.ts';
import { integer } from '../types/numbers.ts';
import { text } from '../types/words.ts';

export const fromBinary = defineProblem({
  name: 'from-binary',
  subject: 'arithmetic',
  about: 'The value of a binary number.',
  input: text({ characters: '01', longest: 40, of: 'the digits 0 and 1', example: '1011' }),
  output: integer({ low: 0, high: 2 ** 40 }),
  sample: (random, level) => `1${Array.from({ length: length[level] }, () => random.between(0, 1)).join('')}`,
  wordings: [
    x => `Which number is ${x} when it is read as a binary number?`,
    x => `Convert ${x} from binary to decimal.`,
  ],
  solve: digits => Number.parseInt(digits, 2),
  bruteForce(digits) {
    let [value, place] = [0, 1];
    for (const digit of [...digits].toReversed()) {
      if (digit === '1') value += place;
      place += place;
    }
    return value;
  },
});

const length = byLevel(4, 6, 11);
