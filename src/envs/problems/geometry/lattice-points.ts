import { defineProblem, byLevel } from '../problem.ts';
import { pair } from '../types/collections.ts';
import { integer } from '../types/numbers.ts';

export const latticePoints = defineProblem({
  name: 'lattice-points',
  subject: 'geometry',
  about: 'How many points with whole coordinates lie on a segment.',
  input: pair(
    pair(integer({ low: -300, high: 300 }), integer({ low: -300, high: 300 })),
    pair(integer({ low: -300, high: 300 }), integer({ low: -300, high: 300 })),
  ),
  output: integer({ low: 1, high: 700 }),
  sample(random, level) {
    const [steps, x, y] = [random.between(1, most[level]), random.between(-4, 4), random.between(1, 5)];
    const start = [random.between(-9, 9), random.between(-9, 9)] as const;
    return [start, [start[0] + steps * x, start[1] + steps * y]] as const;
  },
  wordings: [
    x => `How many points with whole coordinates lie on the segment between the two points in ${x}, its ends included?`,
    x =>
      `Draw a straight line from the first to the second point of ${x}. How many lattice points does it touch, both ends counted?`,
  ],
  solve([[a, b], [c, d]]) {
    let [one, other] = [Math.abs(a - c), Math.abs(b - d)];
    while (other > 0) [one, other] = [other, one % other];
    return one + 1;
  },
  bruteForce([[a, b], [c, d]]) {
    let count = 0;
    for (let x = Math.min(a, c); x <= Math.max(a, c); x++)
      for (let y = Math.min(b, d); y <= Math.max(b, d); y++) if ((x - a) * (d - b) === (y - b) * (c - a)) count++;
    return count;
  },
  bruteForceUpTo: 'medium',
});

const most = byLevel(6, 12, 40);
