import { defineProblem, byLevel } from '../problem.ts';
import { text } from '../types/words.ts';

export const reverseText = defineProblem({
  name: 'reverse-text',
  subject: 'strings',
  about: 'A text backwards.',
  input: text({ longest: 60 }),
  output: text({ longest: 60 }),
  sample: (random, level) => Array.from({ length: length[level] }, () => random.pick(letters)).join(''),
  wordings: [x => `Write ${x} backwards.`, x => `Reverse the order of the letters in ${x}.`],
  solve: word => [...word].toReversed().join(''),
  bruteForce(word) {
    let result = '';
    for (const letter of word) result = letter + result;
    return result;
  },
});

const length = byLevel(5, 9, 18);
const letters = [...'abcdefghijklmnopqrstuvwxyz'];
