import type { Random } from '../../../core/random.ts';
import { defineProblem, byLevel } from '../problem.ts';
import { inAnyOrder, pair } from '../types/collections.ts';
import { integer } from '../types/numbers.ts';

export const squaredDistance = defineProblem({
  name: 'squared-distance',
  subject: 'geometry',
  about: 'The square of the distance between two points.',
  input: pair(
    pair(integer({ low: -1000, high: 1000 }), integer({ low: -1000, high: 1000 })),
    pair(integer({ low: -1000, high: 1000 }), integer({ low: -1000, high: 1000 })),
  ),
  output: integer({ low: 0, high: 8_000_000 }),
  canonical: inAnyOrder,
  sample: (random, level) =>
    [
      [near(random, size[level]), near(random, size[level])],
      [near(random, size[level]), near(random, size[level])],
    ] as const,
  wordings: [
    x => `What is the square of the straight distance between the two points in ${x}?`,
    x => `Draw a square on the line between the two points of ${x}. What is its area?`,
  ],
  solve: ([[a, b], [c, d]]) => (a - c) ** 2 + (b - d) ** 2,
  // By the law of cosines from the origin.
  bruteForce: ([[a, b], [c, d]]) => a * a + b * b + c * c + d * d - 2 * (a * c + b * d),
});

const size = byLevel(6, 20, 100);

function near(random: Random, most: number): number {
  return random.between(-most, most);
}
