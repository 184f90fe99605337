import { defineProblem, byLevel } from '../problem.ts';
import { inAnyOrder, pair } from '../types/collections.ts';
import { integer } from '../types/numbers.ts';

export const latticeWays = defineProblem({
  name: 'lattice-ways',
  subject: 'probability',
  about: 'How many shortest ways lead across a grid.',
  input: pair(integer({ low: 0, high: 14 }), integer({ low: 0, high: 14 })),
  output: integer({ low: 1, high: 50_000_000 }),
  canonical: inAnyOrder,
  sample: (random, level) => [random.between(1, most[level]), random.between(2, most[level])] as const,
  wordings: [
    x =>
      `In how many ways can one go as many steps to the right and as many up as the two numbers in ${x} say, in any order?`,
    x =>
      `A grid is as wide and as high as ${x} says. How many shortest ways lead along its lines from the lower left to the upper right corner?`,
  ],
  solve: ([right, up]) =>
    Array.from({ length: up }, (_, index) => index + 1).reduce((ways, index) => (ways * (right + index)) / index, 1),
  bruteForce([right, up]) {
    let row = Array.from({ length: right + 1 }, () => 1);
    for (let height = 0; height < up; height++) {
      let sum = 0;
      row = row.map(ways => (sum += ways));
    }
    return row[right] as number;
  },
});

const most = byLevel(4, 6, 11);
