import { defineProblem, byLevel } from '../problem.ts';
import { integer } from '../types/numbers.ts';
import { grid, type Grid } from '../types/structures.ts';
import { sampleTreeMaze, shortestWay } from './maze.ts';

export const mazeTurns = defineProblem({
  name: 'maze-turns',
  subject: 'mazes',
  about: 'How often the only way through a maze turns.',
  input: grid({ cells: '.#' }),
  output: integer({ low: 0, high: 400 }),
  sample: (random, level) => sampleTreeMaze(random, size[level]),
  wordings: [
    x =>
      `In the maze ${x} # is a wall and . is free. There is one way without detours from the upper left to the lower right cell. How often does it change its direction?`,
    x =>
      `Exactly one way without going back leads from the top left to the bottom right cell of ${x}, where # is a wall. How many turns does it make?`,
  ],
  parameters: given => (hasOneWay(given) ? {} : null),
  solve: given => (shortestWay(given) ?? []).filter((step, index, way) => index > 0 && step !== way[index - 1]).length,
  // Fills dead ends; what is left is the way. A turn is a cell whose two neighbours are not opposite.
  bruteForce({ rows }) {
    const free = new Set(rows.flatMap((row, y) => [...row].flatMap((cell, x) => (cell === '.' ? [`${x},${y}`] : []))));
    const ends = new Set(['0,0', `${(rows[0] as string).length - 1},${rows.length - 1}`]);
    const beside = (cell: string): string[] => {
      const [x = 0, y = 0] = cell.split(',').map(Number);
      return [`${x - 1},${y}`, `${x + 1},${y}`, `${x},${y - 1}`, `${x},${y + 1}`].filter(other => free.has(other));
    };
    for (let before = -1; before !== free.size; ) {
      before = free.size;
      for (const cell of free) if (!ends.has(cell) && beside(cell).length < 2) free.delete(cell);
    }
    const isTurn = (cell: string): boolean => {
      const [one = '', other = ''] = beside(cell);
      return one.split(',')[0] !== other.split(',')[0] && one.split(',')[1] !== other.split(',')[1];
    };
    return [...free].filter(cell => !ends.has(cell) && isTurn(cell)).length;
  },
});

const size = byLevel(2, 3, 5);

function hasOneWay({ rows }: Grid): boolean {
  const cells = rows
    .join('')
    .split('')
    .filter(cell => cell === '.').length;
  let joints = 0;
  for (const [y, row] of rows.entries())
    for (let x = 0; x < row.length; x++)
      if (row[x] === '.') joints += (row[x + 1] === '.' ? 1 : 0) + (rows[y + 1]?.[x] === '.' ? 1 : 0);
  return joints === cells - 1 && shortestWay({ rows }) !== null;
}
