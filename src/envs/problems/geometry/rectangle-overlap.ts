import type { Random } from '../../../core/random.ts';
import { defineProblem, byLevel } from '../problem.ts';
import { inAnyOrder, list, pair } from '../types/collections.ts';
import { integer } from '../types/numbers.ts';

export const rectangleOverlap = defineProblem({
  name: 'rectangle-overlap',
  subject: 'geometry',
  about: 'The area that two rectangles share.',
  input: pair(
    list(integer({ low: 0, high: 100 }), { shortest: 4, longest: 4 }),
    list(integer({ low: 0, high: 100 }), { shortest: 4, longest: 4 }),
  ),
  output: integer({ low: 0, high: 40_000 }),
  canonical: inAnyOrder,
  sample: (random, level) => [rectangle(random, size[level]), rectangle(random, size[level])] as const,
  wordings: [
    x =>
      `The two lists in ${x} are rectangles: x and y of the lower left corner, width and height. How large is the area that lies in both?`,
    x =>
      `Two rectangles are given in ${x}, each as [x, y, width, height] with (x, y) its lower left corner. What is the area of their intersection?`,
  ],
  solve([[a = 0, b = 0, c = 0, d = 0], [e = 0, f = 0, g = 0, h = 0]]) {
    const wide = Math.min(a + c, e + g) - Math.max(a, e);
    const high = Math.min(b + d, f + h) - Math.max(b, f);
    return Math.max(0, wide) * Math.max(0, high);
  },
  // Counts unit squares.
  bruteForce([[a = 0, b = 0, c = 0, d = 0], [e = 0, f = 0, g = 0, h = 0]]) {
    let count = 0;
    for (let x = a; x < a + c; x++)
      for (let y = b; y < b + d; y++) if (x >= e && x < e + g && y >= f && y < f + h) count++;
    return count;
  },
});

const size = byLevel(6, 15, 50);

function rectangle(random: Random, most: number): number[] {
  const corner = (): number => random.between(0, Math.floor(most / 3));
  const side = (): number => random.between(Math.ceil(most / 3), most);
  return [corner(), corner(), side(), side()];
}
