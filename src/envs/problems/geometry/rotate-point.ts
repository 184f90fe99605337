import { defineProblem, byLevel } from '../problem.ts';
import { pair } from '../types/collections.ts';
import { integer } from '../types/numbers.ts';

export const rotatePoint = defineProblem({
  name: 'rotate-point',
  subject: 'geometry',
  about: 'A point after quarter turns around another.',
  input: pair(integer({ low: -10_000, high: 10_000 }), integer({ low: -10_000, high: 10_000 })),
  output: pair(integer({ low: -50_000, high: 50_000 }), integer({ low: -50_000, high: 50_000 })),
  sample: (random, level) =>
    [random.between(-size[level], size[level]), random.between(-size[level], size[level])] as const,
  parameters: (_, random, level) => ({
    turns: random.between(1, 3),
    x: random.between(0, centre[level]),
    y: random.between(0, centre[level]),
  }),
  wordings: [
    (point, { turns, x, y }) =>
      `Turn the point ${point} by ${turns * 90} degrees counter-clockwise around (${x}, ${y}). Where is it then?`,
    (point, { turns, x, y }) =>
      `The point ${point} makes ${turns} quarter turns to the left around the centre (${x}, ${y}). What are its new coordinates?`,
  ],
  solve([a, b], { turns, x, y }) {
    let [right, up] = [a - x, b - y];
    for (let turn = 0; turn < turns; turn++) [right, up] = [-up, right];
    return [x + right, y + up] as const;
  },
  bruteForce([a, b], { turns, x, y }) {
    const [cos, sin] = [[1, 0, -1, 0][turns] ?? 1, [0, 1, 0, -1][turns] ?? 0];
    return [x + cos * (a - x) - sin * (b - y), y + sin * (a - x) + cos * (b - y)] as const;
  },
});

const size = byLevel(5, 20, 100);
const centre = byLevel(0, 5, 30);
