import { defineProblem, byLevel } from '../problem.ts';
import { integer } from '../types/numbers.ts';
import { grid } from '../types/structures.ts';
import { sampleMaze, shortestWay } from './maze.ts';

export const mazeLength = defineProblem({
  name: 'maze-length',
  subject: 'mazes',
  about: 'The length of the shortest way through a maze.',
  input: grid({ cells: '.#' }),
  output: integer({ low: 0, high: 900 }),
  sample: (random, level) => sampleMaze(random, size[level]),
  parameters: given => (shortestWay(given) === null ? null : {}),
  wordings: [
    x =>
      `In the maze ${x} # is a wall and . is free. How many steps to the left, right, up or down is the shortest way from the upper left to the lower right cell?`,
    x =>
      `Walk through ${x} from the top left to the bottom right cell, one cell up, down, left or right at a time, never onto a #. What is the smallest number of steps?`,
  ],
  solve: given => shortestWay(given)?.length ?? 0,
  // Waves: in each round the cells next to the wave are reached.
  bruteForce({ rows }) {
    const [high, wide] = [rows.length, (rows[0] as string).length];
    let wave = new Set([0]);
    const seen = new Set(wave);
    for (let steps = 0; wave.size > 0; steps++) {
      if (wave.has(high * wide - 1)) return steps;
      const next = new Set<number>();
      for (let cell = 0; cell < high * wide; cell++) {
        if (seen.has(cell) || rows[Math.floor(cell / wide)]?.[cell % wide] !== '.') continue;
        const isBeside =
          wave.has(cell - wide) ||
          wave.has(cell + wide) ||
          (cell % wide > 0 && wave.has(cell - 1)) ||
          (cell % wide < wide - 1 && wave.has(cell + 1));
        if (isBeside) next.add(cell);
      }
      for (const cell of next) seen.add(cell);
      wave = next;
    }
    return 0;
  },
});

const size = byLevel(3, 4, 6);
