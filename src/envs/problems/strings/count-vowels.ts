import { defineProblem, byLevel } from '../problem.ts';
import { integer } from '../types/numbers.ts';
import { text } from '../types/words.ts';

export const countVowels = defineProblem({
  name: 'count-vowels',
  subject: 'strings',
  about: 'How many vowels a text has.',
  input: text({ longest: 80 }),
  output: integer({ low: 0, high: 80 }),
  sample: (random, level) => Array.from({ length: length[level] }, () => random.pick([...'abcdeiorstu'])).join(''),
  wordings: [
    x => `How many of the letters in ${x} are vowels (a, e, i, o, u)?`,
    x => `Count the vowels a, e, i, o and u in ${x}, repeated ones included.`,
  ],
  solve: word => word.replaceAll(/[^aeiou]/g, '').length,
  bruteForce: word => [...word].reduce((count, letter) => ('aeiou'.includes(letter) ? count + 1 : count), 0),
});

const length = byLevel(7, 15, 35);
