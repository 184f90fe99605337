import { defineProblem, byLevel } from '../problem.ts';
import { list } from '../types/collections.ts';
import { integer } from '../types/numbers.ts';

export const countInversions = defineProblem({
  name: 'count-inversions',
  subject: 'collections',
  about: 'How many pairs of a list stand in the wrong order.',
  input: list(integer({ low: -100_000, high: 100_000 }), { shortest: 1, longest: 40 }),
  output: integer({ low: 0, high: 800 }),
  sample: (random, level) => Array.from({ length: length[level] }, () => random.between(1, 3 * length[level])),
  wordings: [
    x => `How many pairs of positions in ${x} are there where the earlier number is greater than the later one?`,
    x => `Count the inversions of ${x}: pairs in which the number on the left is greater than the one on the right.`,
  ],
  solve(numbers) {
    let count = 0;
    for (const [index, number] of numbers.entries())
      count += numbers.slice(index + 1).filter(other => other < number).length;
    return count;
  },
  // Swaps of neighbours that sorting takes.
  bruteForce(numbers) {
    const row = [...numbers];
    let swaps = 0;
    for (let isSorted = false; !isSorted; ) {
      isSorted = true;
      for (let index = 1; index < row.length; index++) {
        const [left, right] = [row[index - 1] as number, row[index] as number];
        if (left <= right) continue;
        [row[index - 1], row[index]] = [right, left];
        swaps++;
        isSorted = false;
      }
    }
    return swaps;
  },
});

const length = byLevel(5, 8, 13);
