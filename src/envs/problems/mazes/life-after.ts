import { defineProblem, byLevel } from '../problem.ts';
import { integer } from '../types/numbers.ts';
import { grid } from '../types/structures.ts';

export const lifeAfter = defineProblem({
  name: 'life-after',
  subject: 'mazes',
  about: 'How many cells live after some steps of the Game of Life.',
  input: grid({ cells: '.#', largest: 12 }),
  output: integer({ low: 0, high: 144 }),
  sample: (random, level) => ({
    rows: Array.from({ length: size[level] }, () =>
      Array.from({ length: size[level] }, () => (random.chance(0.4) ? '#' : '.')).join(''),
    ),
  }),
  parameters: (_, random, level) => ({ steps: random.between(1, most[level]) }),
  wordings: [
    (x, { steps }) =>
      `In Conway's Game of Life # is a living cell: ${x} How many cells live after ${steps} steps? Cells outside the board are always dead.`,
    (x, { steps }) =>
      `Play the Game of Life for ${steps} steps on ${x} where # lives. A living cell stays with 2 or 3 living neighbours of 8, a dead one comes to life with 3; there is nothing beyond the edge. How many live then?`,
  ],
  solve({ rows }, { steps }) {
    let now = rows.map(row => [...row].map(cell => cell === '#'));
    for (let step = 0; step < steps; step++) {
      const before = now;
      now = before.map((row, y) =>
        row.map((isAlive, x) => {
          const around = [-1, 0, 1]
            .flatMap(down => [-1, 0, 1].map(right => before[y + down]?.[x + right] === true))
            .filter(Boolean).length;
          return isAlive ? around === 3 || around === 4 : around === 3;
        }),
      );
    }
    return now.flat().filter(Boolean).length;
  },
  // Living cells tell their neighbours.
  bruteForce({ rows }, { steps }) {
    let alive = new Set(rows.flatMap((row, y) => [...row].flatMap((cell, x) => (cell === '#' ? [y * 100 + x] : []))));
    const isInside = (cell: number): boolean =>
      Math.floor(cell / 100) < rows.length && cell >= 0 && cell % 100 < (rows[0] as string).length;
    for (let step = 0; step < steps; step++) {
      const told = new Map<number, number>();
      for (const cell of alive)
        for (const offset of [-101, -100, -99, -1, 1, 99, 100, 101])
          told.set(cell + offset, (told.get(cell + offset) ?? 0) + 1);
      const before = alive;
      alive = new Set(
        [...told]
          .filter(([cell, count]) => isInside(cell) && (count === 3 || (count === 2 && before.has(cell))))
          .map(([cell]) => cell),
      );
    }
    return alive.size;
  },
});

const size = byLevel(4, 5, 7);
const most = byLevel(1, 2, 4);
