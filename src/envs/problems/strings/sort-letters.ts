import { defineProblem, byLevel } from '../problem.ts';
import { text } from '../types/words.ts';

export const sortLetters = defineProblem({
  name: 'sort-letters',
  subject: 'strings',
  about: 'The letters of a text in alphabetical order.',
  input: text({ longest: 60 }),
  output: text({ longest: 60 }),
  canonical: word => [...word].toSorted().join(''),
  sample: (random, level) =>
    Array.from({ length: length[level] }, () => random.pick([...'abcdefghijklmnopqrstuvwxyz'])).join(''),
  wordings: [
    x => `Put the letters of ${x} in alphabetical order. Keep letters that occur several times.`,
    x => `Sort the letters of ${x} from a to z, repeated ones included.`,
  ],
  solve: word => [...word].toSorted().join(''),
  bruteForce: word =>
    [...'abcdefghijklmnopqrstuvwxyz'].map(letter => letter.repeat(word.split(letter).length - 1)).join(''),
});

const length = byLevel(5, 9, 16);
