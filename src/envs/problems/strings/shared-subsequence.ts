import type { Random } from '../../../core/random.ts';
import { defineProblem, byLevel } from '../problem.ts';
import { inAnyOrder, pair } from '../types/collections.ts';
import { integer } from '../types/numbers.ts';
import { text } from '../types/words.ts';

export const sharedSubsequence = defineProblem({
  name: 'shared-subsequence',
  subject: 'strings',
  about: 'The length of the longest sequence of letters that two texts share.',
  input: pair(text({ longest: 14 }), text({ longest: 14 })),
  output: integer({ low: 0, high: 14 }),
  canonical: inAnyOrder,
  sample: (random, level) => [word(random, length[level]), word(random, length[level])] as const,
  wordings: [
    x =>
      `How long is the longest common subsequence of the two texts in ${x}? Its letters stand in both in the same order, gaps allowed.`,
    x =>
      `Strike letters from both texts of ${x} until they are equal, as few as possible. How many letters are left in each?`,
  ],
  solve([one, other]) {
    let row = Array.from({ length: other.length + 1 }, () => 0);
    for (const letter of one) {
      const next = [0];
      for (let index = 0; index < other.length; index++)
        next.push(
          other[index] === letter
            ? (row[index] as number) + 1
            : Math.max(row[index + 1] as number, next[index] as number),
        );
      row = next;
    }
    return row.at(-1) as number;
  },
  // Tries every choice of letters of the first text.
  bruteForce([one, other]) {
    let best = 0;
    for (let chosen = 0; chosen < 2 ** one.length; chosen++) {
      const letters = [...one].filter((_, index) => Math.floor(chosen / 2 ** index) % 2 === 1);
      if (letters.length <= best) continue;
      let at = -1;
      if (letters.every(letter => (at = other.indexOf(letter, at + 1)) >= 0)) best = letters.length;
    }
    return best;
  },
  bruteForceUpTo: 'medium',
});

const length = byLevel(3, 5, 9);

function word(random: Random, size: number): string {
  return Array.from({ length: size + random.between(0, 2) }, () => random.pick([...'abc'])).join('');
}
