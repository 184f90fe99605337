import { defineProblem, byLevel } from '../problem.ts';
import { distinct, pair, set } from '../types/collections.ts';
import { integer } from '../types/numbers.ts';

export const hullSize = defineProblem({
  name: 'hull-size',
  subject: 'geometry',
  about: 'How many corners the convex hull of some points has.',
  input: set(pair(integer({ low: -200, high: 200 }), integer({ low: -200, high: 200 })), { shortest: 3, longest: 14 }),
  output: integer({ low: 2, high: 14 }),
  sample: (random, level) =>
    distinct(
      Array.from({ length: count[level] + 3 }, () => [random.between(0, 9), random.between(0, 9)] as const).slice(
        0,
        count[level],
      ),
    ),
  wordings: [
    x => `How many corners does the convex hull of the points ${x} have? A point on a side is no corner.`,
    x => `A rubber band is put around the points ${x}. At how many of them does it bend?`,
  ],
  // Andrew's monotone chain.
  solve(points) {
    const half = (row: readonly (readonly [number, number])[]): number => {
      const chain: (readonly [number, number])[] = [];
      for (const point of row) {
        while (
          chain.length > 1 &&
          turn(chain.at(-2) as readonly [number, number], chain.at(-1) as readonly [number, number], point) <= 0
        )
          chain.pop();
        chain.push(point);
      }
      return chain.length - 1;
    };
    return half(points) + half([...points].toReversed());
  },
  // A corner is a point that lies in no triangle and on no segment of others.
  bruteForce(points) {
    const isInside = (point: readonly [number, number]): boolean => {
      const others = points.filter(other => other !== point);
      return others.some((a, i) =>
        others
          .slice(i + 1)
          .some((b, j) => isBetween(a, b, point) || others.slice(i + j + 2).some(c => isWithin([a, b, c], point))),
      );
    };
    return points.filter(point => !isInside(point)).length;
  },
  bruteForceUpTo: 'medium',
});

const count = byLevel(5, 8, 12);
type Point = readonly [number, number];

function turn(a: Point, b: Point, c: Point): number {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

function isBetween(a: Point, b: Point, point: Point): boolean {
  return turn(a, b, point) === 0 && (a[0] - point[0]) * (b[0] - point[0]) + (a[1] - point[1]) * (b[1] - point[1]) < 0;
}

function isWithin([a, b, c]: readonly [Point, Point, Point], point: Point): boolean {
  const signs = [turn(a, b, point), turn(b, c, point), turn(c, a, point)].map(Math.sign);
  return turn(a, b, c) !== 0 && (signs.every(sign => sign > 0) || signs.every(sign => sign < 0));
}
