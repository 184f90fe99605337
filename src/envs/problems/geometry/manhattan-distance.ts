import type { Random } from '../../../core/random.ts';
import { defineProblem, byLevel } from '../problem.ts';
import { inAnyOrder, pair } from '../types/collections.ts';
import { integer } from '../types/numbers.ts';

export const manhattanDistance = defineProblem({
  name: 'manhattan-distance',
  subject: 'geometry',
  about: 'The steps between two points of a grid.',
  input: pair(
    pair(integer({ low: -10_000, high: 10_000 }), integer({ low: -10_000, high: 10_000 })),
    pair(integer({ low: -10_000, high: 10_000 }), integer({ low: -10_000, high: 10_000 })),
  ),
  output: integer({ low: 0, high: 40_000 }),
  canonical: inAnyOrder,
  sample: (random, level) =>
    [
      [near(random, size[level]), near(random, size[level])],
      [near(random, size[level]), near(random, size[level])],
    ] as const,
  wordings: [
    x =>
      `How many steps to the left, right, up or down, each of length 1, lead from the first to the second point of ${x} at least?`,
    x => `What is the Manhattan distance between the two points in ${x}?`,
  ],
  solve: ([[a, b], [c, d]]) => Math.abs(a - c) + Math.abs(b - d),
  bruteForce([[a, b], [c, d]]) {
    let [x, y, steps] = [a, b, 0];
    for (; x !== c || y !== d; steps++) {
      if (x !== c) x += x < c ? 1 : -1;
      else y += y < d ? 1 : -1;
    }
    return steps;
  },
});

const size = byLevel(9, 40, 300);

function near(random: Random, most: number): number {
  return random.between(-most, most);
}
