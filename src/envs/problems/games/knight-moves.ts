import type { Random } from '../../../core/random.ts';
import { defineProblem, byLevel } from '../problem.ts';
import { pair } from '../types/collections.ts';
import { integer } from '../types/numbers.ts';

export const knightMoves = defineProblem({
  name: 'knight-moves',
  subject: 'games',
  about: 'How many moves a knight needs between two squares.',
  input: pair(square(), square()),
  output: integer({ low: 0, high: 6 }),
  sample: (random, level) => [squareOf(random, side[level]), squareOf(random, side[level])] as const,
  wordings: [
    x =>
      `How many moves does a knight on an empty chess board need from the first to the second square of ${x}? Squares are (column, row) from (1, 1) to (8, 8).`,
    x =>
      `A chess knight stands on the first square of ${x}, given as (column, row) of an 8 by 8 board. What is the smallest number of moves to the second square?`,
  ],
  solve([[a, b], [c, d]]) {
    const goal = c * 10 + d;
    const depth = new Map([[a * 10 + b, 0]]);
    for (const [cell, moves] of depth) {
      if (cell === goal) return moves;
      for (const step of steps) {
        const next = cell + step;
        const [x, y] = [Math.floor(next / 10), next % 10];
        if (x > 0 && x < 9 && y > 0 && y < 9 && !depth.has(next)) depth.set(next, moves + 1);
      }
    }
    return 0;
  },
  // Deepens the search move by move.
  bruteForce([[a, b], [c, d]]) {
    const reaches = (x: number, y: number, left: number): boolean => {
      if (x === c && y === d) return true;
      if (left === 0 || Math.max(Math.abs(x - c), Math.abs(y - d)) > 2 * left) return false;
      return jumps.some(
        ([right, up]) =>
          x + right > 0 && x + right < 9 && y + up > 0 && y + up < 9 && reaches(x + right, y + up, left - 1),
      );
    };
    let moves = 0;
    while (!reaches(a, b, moves)) moves++;
    return moves;
  },
});

const side = byLevel(4, 6, 8);
const steps = [21, 19, -19, -21, 12, 8, -8, -12];
const jumps = [
  [1, 2],
  [2, 1],
  [-1, 2],
  [-2, 1],
  [1, -2],
  [2, -1],
  [-1, -2],
  [-2, -1],
] as const;

function square() {
  return pair(integer({ low: 1, high: 8 }), integer({ low: 1, high: 8 }));
}

function squareOf(random: Random, most: number): readonly [number, number] {
  return [random.between(1, most), random.between(1, most)];
}
