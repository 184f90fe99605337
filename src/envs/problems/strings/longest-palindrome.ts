import { defineProblem, byLevel } from '../problem.ts';
import { integer } from '../types/numbers.ts';
import { text } from '../types/words.ts';

export const longestPalindrome = defineProblem({
  name: 'longest-palindrome',
  subject: 'strings',
  about: 'The length of the longest palindrome inside a text.',
  input: text({ longest: 60 }),
  output: integer({ low: 1, high: 60 }),
  sample: (random, level) => Array.from({ length: length[level] }, () => random.pick(['a', 'b', 'c'])).join(''),
  wordings: [
    x => `How long is the longest part of ${x}, without gaps, that reads the same backwards?`,
    x => `What is the length of the longest palindrome that stands in ${x} as a block of neighbouring letters?`,
  ],
  // Grows from each middle.
  solve(word) {
    let best = 1;
    for (let middle = 0; middle < word.length; middle += 0.5) {
      let [left, right] = [Math.ceil(middle) - 1, Math.floor(middle) + 1];
      while (left >= 0 && right < word.length && word[left] === word[right]) [left, right] = [left - 1, right + 1];
      best = Math.max(best, right - left - 1);
    }
    return best;
  },
  bruteForce(word) {
    for (let size = word.length; size > 1; size--) {
      for (let start = 0; start + size <= word.length; start++) {
        const part = word.slice(start, start + size);
        if (part === [...part].toReversed().join('')) return size;
      }
    }
    return 1;
  },
});

const length = byLevel(6, 11, 20);
