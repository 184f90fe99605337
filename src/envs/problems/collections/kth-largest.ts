import { defineProblem, byLevel } from '../problem.ts';
import { inAnyOrder, list } from '../types/collections.ts';
import { integer } from '../types/numbers.ts';

export const kthLargest = defineProblem({
  name: 'kth-largest',
  subject: 'collections',
  about: 'The number at a given rank of a list.',
  input: list(integer({ low: -100_000, high: 100_000 }), { shortest: 1, longest: 60 }),
  output: integer({ low: -100_000, high: 100_000 }),
  canonical: inAnyOrder,
  sample: (random, level) => Array.from({ length: length[level] }, () => random.between(0, 99)),
  parameters: (numbers, random) => ({ rank: random.between(1, numbers.length) }),
  wordings: [
    (x, { rank }) =>
      `Sort ${x} from the greatest to the smallest, keeping repeated numbers. Which number is at place ${rank}?`,
    (x, { rank }) => `What is number ${rank} from the top in ${x}, when equal numbers take a place each?`,
  ],
  solve: (numbers, { rank }) => numbers.toSorted((one, other) => other - one)[rank - 1] as number,
  bruteForce: (numbers, { rank }) =>
    numbers.find(number => {
      const greater = numbers.filter(other => other > number).length;
      return greater < rank && rank <= greater + numbers.filter(other => other === number).length;
    }) as number,
});

const length = byLevel(5, 9, 18);
