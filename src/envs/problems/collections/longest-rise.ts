import { defineProblem, byLevel } from '../problem.ts';
import { list } from '../types/collections.ts';
import { integer } from '../types/numbers.ts';

export const longestRise = defineProblem({
  name: 'longest-rise',
  subject: 'collections',
  about: 'The length of the longest increasing subsequence.',
  input: list(integer({ low: -100_000, high: 100_000 }), { shortest: 1, longest: 16 }),
  output: integer({ low: 1, high: 16 }),
  sample: (random, level) => Array.from({ length: length[level] }, () => random.between(1, 4 * length[level])),
  wordings: [
    x =>
      `Strike numbers from ${x} so that the rest, in its order, always increases. How many numbers can be left at most?`,
    x => `How long is the longest strictly increasing subsequence of ${x}? Gaps are allowed.`,
  ],
  // The smallest end of a rise of each length.
  solve(numbers) {
    const ends: number[] = [];
    for (const number of numbers) {
      const at = ends.findIndex(end => end >= number);
      if (at < 0) ends.push(number);
      else ends[at] = number;
    }
    return ends.length;
  },
  bruteForce(numbers) {
    const from = (start: number): number =>
      1 +
      Math.max(
        0,
        ...numbers.map((number, index) => (index > start && number > (numbers[start] as number) ? from(index) : 0)),
      );
    return Math.max(...numbers.map((_, index) => from(index)));
  },
  bruteForceUpTo: 'medium',
});

const length = byLevel(5, 8, 14);
