import type { Random } from '../../../core/random.ts';
import { defineProblem, byLevel } from '../problem.ts';
import { inAnyOrder, pair } from '../types/collections.ts';
import { integer } from '../types/numbers.ts';
import { text } from '../types/words.ts';

export const editDistance = defineProblem({
  name: 'edit-distance',
  subject: 'strings',
  about: 'The fewest changes of a letter that turn one text into another.',
  input: pair(text({ longest: 14 }), text({ longest: 14 })),
  output: integer({ low: 0, high: 14 }),
  canonical: inAnyOrder,
  sample: (random, level) => [word(random, length[level]), word(random, length[level])] as const,
  wordings: [
    x =>
      `Take the two texts in ${x}. How many single-letter changes turn the first into the second at least? A change inserts, removes or replaces one letter.`,
    x =>
      `What is the edit distance (insertions, deletions and replacements of one letter) between the two texts of ${x}?`,
  ],
  // Row by row.
  solve([one, other]) {
    let row = Array.from({ length: other.length + 1 }, (_, index) => index);
    for (const letter of one) {
      const next = [(row[0] as number) + 1];
      for (let index = 0; index < other.length; index++) {
        const same = (row[index] as number) + (other[index] === letter ? 0 : 1);
        next.push(Math.min(same, (row[index + 1] as number) + 1, (next[index] as number) + 1));
      }
      row = next;
    }
    return row.at(-1) as number;
  },
  // From the ends, with a memory.
  bruteForce([one, other]) {
    const known = new Map<string, number>();
    const distance = (a: string, b: string): number => {
      if (a === '' || b === '') return a.length + b.length;
      const key = `${a},${b}`;
      const found = known.get(key);
      if (found !== undefined) return found;
      const [shorterA, shorterB] = [a.slice(1), b.slice(1)];
      const value =
        a[0] === b[0]
          ? distance(shorterA, shorterB)
          : 1 + Math.min(distance(shorterA, b), distance(a, shorterB), distance(shorterA, shorterB));
      known.set(key, value);
      return value;
    };
    return distance(one, other);
  },
});

const length = byLevel(3, 5, 8);

function word(random: Random, size: number): string {
  return Array.from({ length: size + random.between(0, 2) }, () => random.pick([...'abcd'])).join('');
}
