import { defineProblem, byLevel } from '../problem.ts';
import { integer } from '../types/numbers.ts';
import { grid } from '../types/structures.ts';

export const countRegions = defineProblem({
  name: 'count-regions',
  subject: 'mazes',
  about: 'How many separate islands a map has.',
  input: grid({ cells: '.#' }),
  output: integer({ low: 0, high: 450 }),
  sample: (random, level) => ({
    rows: Array.from({ length: size[level] }, () =>
      Array.from({ length: size[level] }, () => (random.chance(0.45) ? '#' : '.')).join(''),
    ),
  }),
  wordings: [
    x =>
      `On the map ${x} # is land and . is water. How many islands are there? Cells that share a side belong to one island, corners do not count.`,
    x =>
      `Count the groups of # in ${x}. Two cells are in one group when a chain of cells that share a side joins them.`,
  ],
  solve({ rows }) {
    const land = rows.map(row => [...row]);
    const sink = (x: number, y: number): boolean => {
      const row = land[y];
      if (row?.[x] !== '#') return false;
      row[x] = '.';
      for (const [right, down] of [
        [1, 0],
        [-1, 0],
        [0, 1],
        [0, -1],
      ] as const)
        sink(x + right, y + down);
      return true;
    };
    return land.flatMap((row, y) => row.map((_, x) => sink(x, y))).filter(Boolean).length;
  },
  // Every cell takes the smallest number among its neighbours until nothing changes.
  bruteForce({ rows }) {
    const wide = (rows[0] as string).length;
    const labels = new Map(
      [...rows.join('')].flatMap((cell, index) => (cell === '#' ? [[index, index] as [number, number]] : [])),
    );
    for (let hasChanged = true; hasChanged; ) {
      hasChanged = false;
      for (const [cell, label] of labels) {
        const beside = [
          cell - wide,
          cell + wide,
          ...(cell % wide > 0 ? [cell - 1] : []),
          ...(cell % wide < wide - 1 ? [cell + 1] : []),
        ];
        const least = Math.min(label, ...beside.map(other => labels.get(other) ?? label));
        if (least < label) {
          labels.set(cell, least);
          hasChanged = true;
        }
      }
    }
    return new Set(labels.values()).size;
  },
});

const size = byLevel(4, 6, 9);
