import { defineProblem, byLevel } from '../problem.ts';
import { text } from '../types/words.ts';

export const runLength = defineProblem({
  name: 'run-length',
  subject: 'strings',
  about: 'A text as letters with how often each is repeated.',
  input: text({ longest: 60 }),
  output: text({ characters: 'a-z0-9', longest: 120, of: 'small letters and digits', example: 'a3b1' }),
  sample: (random, level) =>
    Array.from({ length: runs[level] }, () => random.pick([...'abcd']).repeat(random.between(1, 4))).join(''),
  wordings: [
    x =>
      `Write ${x} with run-length encoding: each run of equal letters becomes the letter and the length of the run, also when it is 1. For example aab becomes a2b1.`,
    x =>
      `Shorten ${x}: replace each block of the same letter by that letter followed by the number of letters in the block (1 as well). For example ccd becomes c2d1.`,
  ],
  solve: word => word.replaceAll(/(.)\1*/g, (run, letter: string) => `${letter}${run.length}`),
  bruteForce(word) {
    let [result, count] = ['', 0];
    for (let index = 0; index < word.length; index++) {
      count++;
      if (word[index] === word[index + 1]) continue;
      result += `${word[index] as string}${count}`;
      count = 0;
    }
    return result;
  },
});

const runs = byLevel(3, 5, 10);
