import { defineProblem, byLevel } from '../problem.ts';
import { list, pair } from '../types/collections.ts';
import { ratio } from '../types/fraction.ts';
import { integer, rational } from '../types/numbers.ts';

export const polygonArea = defineProblem({
  name: 'polygon-area',
  subject: 'geometry',
  about: 'The area of a triangle with whole coordinates.',
  input: list(pair(integer({ low: -1000, high: 1000 }), integer({ low: -1000, high: 1000 })), {
    shortest: 3,
    longest: 3,
  }),
  output: rational(),
  sample: (random, level) =>
    Array.from(
      { length: 3 },
      () => [random.between(-size[level], size[level]), random.between(-size[level], size[level])] as const,
    ),
  wordings: [
    x => `What is the area of the triangle with the corners ${x}?`,
    x => `The corners of a triangle are ${x}. Give its exact area; it is 0 when the corners lie on a line.`,
  ],
  // Half of the cross product.
  solve([[a, b] = [0, 0], [c, d] = [0, 0], [e, f] = [0, 0]]) {
    return ratio(Math.abs((c - a) * (f - b) - (e - a) * (d - b)), 2);
  },
  // The box around it without the three triangles and the rectangle outside: trapezia below each side.
  bruteForce(corners) {
    let twice = 0;
    for (const [index, [x, y]] of corners.entries()) {
      const [nextX, nextY] = corners[(index + 1) % 3] ?? [0, 0];
      twice += (nextX - x) * (nextY + y);
    }
    return ratio(Math.abs(twice), 2);
  },
});

const size = byLevel(5, 12, 60);
