import type { Random } from '../../../core/random.ts';
import type { Grid } from '../types/structures.ts';

/** Corridors in a tree, and some walls fewer, so that there are several ways. */
export function sampleMaze(random: Random, size: number): Grid {
  const rows = sampleTreeMaze(random, size).rows.map(row => [...row]);
  for (let count = 0; count < 2 * size; count++) {
    const row = random.pick(rows);
    row[random.between(0, row.length - 1)] = '.';
  }
  return { rows: rows.map(row => row.join('')) };
}

/** A maze whose corridors form a tree: one way without detours between any two cells. `size` is in junctions. */
export function sampleTreeMaze(random: Random, size: number): Grid {
  const side = 2 * size + 1;
  const rows = Array.from({ length: side }, () => Array.from({ length: side }, () => '#'));
  const open = (x: number, y: number): void => {
    (rows[y] as string[])[x] = '.';
  };
  open(0, 0);
  const stack: [number, number][] = [[0, 0]];
  while (stack.length > 0) {
    const [x, y] = stack.at(-1) as [number, number];
    const ways = moves.filter(([right, down]) => rows[y + 2 * down]?.[x + 2 * right] === '#');
    if (ways.length === 0) {
      stack.pop();
      continue;
    }
    const [right, down] = random.pick(ways);
    open(x + right, y + down);
    open(x + 2 * right, y + 2 * down);
    stack.push([x + 2 * right, y + 2 * down]);
  }
  return { rows: rows.map(row => row.join('')) };
}

const moves = [
  [-1, 0],
  [1, 0],
  [0, -1],
  [0, 1],
] as const;

/** The moves of a shortest way from the upper left to the lower right cell, as indexes; null when there is none. */
export function shortestWay({ rows }: Grid): readonly number[] | null {
  const [high, wide] = [rows.length, (rows[0] as string).length];
  if (rows[0]?.[0] !== '.') return null;
  const cameBy = new Map<number, readonly [number, number]>([[0, [-1, -1]]]);
  const queue = [0];
  for (const cell of queue) {
    const [x, y] = [cell % wide, Math.floor(cell / wide)];
    for (const [index, [right, down]] of moves.entries()) {
      const next = (y + down) * wide + x + right;
      if (rows[y + down]?.[x + right] !== '.' || cameBy.has(next)) continue;
      cameBy.set(next, [cell, index]);
      queue.push(next);
    }
  }
  const way: number[] = [];
  for (let cell = high * wide - 1; cell !== 0; ) {
    const step = cameBy.get(cell);
    if (step === undefined) return null;
    way.push(step[1]);
    cell = step[0];
  }
  return way.toReversed();
}
