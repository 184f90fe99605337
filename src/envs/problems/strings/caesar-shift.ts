import { defineProblem, byLevel } from '../problem.ts';
import { text } from '../types/words.ts';

export const caesarShift = defineProblem({
  name: 'caesar-shift',
  subject: 'strings',
  about: 'A text with each letter moved along the alphabet.',
  input: text({ longest: 60 }),
  output: text({ longest: 60 }),
  sample: (random, level) => Array.from({ length: length[level] }, () => random.pick([...alphabet])).join(''),
  parameters: (_, random, level) => ({ shift: random.between(1, most[level]) }),
  wordings: [
    (x, { shift }) =>
      `Replace each letter of ${x} by the one that comes ${shift} places later in the alphabet; after z comes a.`,
    (x, { shift }) => `Encrypt ${x} with a Caesar cipher that shifts letters forward by ${shift}.`,
  ],
  solve: (word, { shift }) =>
    [...word].map(letter => alphabet[(alphabet.indexOf(letter) + shift) % 26] as string).join(''),
  // One place at a time.
  bruteForce(word, { shift }) {
    let now = word;
    for (let count = 0; count < shift; count++)
      now = [...now]
        .map(letter => (letter === 'z' ? 'a' : String.fromCodePoint((letter.codePointAt(0) as number) + 1)))
        .join('');
    return now;
  },
});

const length = byLevel(4, 7, 12);
const most = byLevel(3, 9, 25);
const alphabet = 'abcdefghijklmnopqrstuvwxyz';
