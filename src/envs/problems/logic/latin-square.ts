import { defineProblem, byLevel } from '../problem.ts';
import { integer } from '../types/numbers.ts';
import { grid } from '../types/structures.ts';

export const latinSquare = defineProblem({
  name: 'latin-square',
  subject: 'logic',
  about: 'A cell of a small Sudoku.',
  input: grid({ cells: '1-4.', largest: 4 }),
  output: integer({ low: 1, high: 4 }),
  sample(random, level) {
    const names = random.shuffle(['1', '2', '3', '4']);
    const rows = random
      .shuffle([
        [0, 1, 2, 3],
        [1, 0, 3, 2],
        [2, 3, 0, 1],
        [3, 2, 1, 0],
      ])
      .map(row => row.map(index => names[index] as string));
    let cells = rows.flat();
    let left = gaps[level];
    for (const cell of random.shuffle([...cells.keys()])) {
      const emptied = cells.with(cell, '.');
      if (left === 0 || completions(emptied).length > 1) continue;
      cells = emptied;
      left--;
    }
    return { rows: [0, 4, 8, 12].map(start => cells.slice(start, start + 4).join('')) };
  },
  parameters(given, random) {
    const cells = [...given.rows.join('')];
    const open = cells.flatMap((cell, index) => (cell === '.' ? [index] : []));
    return cells.length === 16 && open.length > 0 && completions(cells).length === 1
      ? { cell: random.pick(open) }
      : null;
  },
  wordings: [
    (x, { cell }) =>
      `Fill the square ${x} so that each row and each column has the digits 1, 2, 3 and 4 once. Which digit stands in row ${Math.floor(cell / 4) + 1}, column ${(cell % 4) + 1}?`,
    (x, { cell }) =>
      `In the Latin square ${x} a dot is an empty cell. Every row and column contains 1 to 4. What belongs into column ${(cell % 4) + 1} of row ${Math.floor(cell / 4) + 1}?`,
  ],
  solve: ({ rows }, { cell }) => Number(completions([...rows.join('')])[0]?.[cell]),
  // Tries all ways to fill the rows, and keeps those whose columns are right.
  bruteForce({ rows }, { cell }) {
    const digits = ['1', '2', '3', '4'];
    const orders = digits
      .flatMap(a => digits.flatMap(b => digits.flatMap(c => digits.map(d => a + b + c + d))))
      .filter(order => new Set(order).size === 4);
    const fitting = rows.map(row =>
      orders.filter(order => [...row].every((digit, index) => digit === '.' || digit === order[index])),
    );
    const [one = [], two = [], three = [], four = []] = fitting;
    for (const a of one)
      for (const b of two)
        for (const c of three)
          for (const d of four)
            if ([0, 1, 2, 3].every(column => new Set([a[column], b[column], c[column], d[column]]).size === 4))
              return Number((a + b + c + d)[cell]);
    return 1;
  },
});

const gaps = byLevel(4, 7, 10);

/** The ways to fill the square, two at most. */
function completions(cells: readonly string[]): string[][] {
  const at = cells.indexOf('.');
  if (at < 0) return [[...cells]];
  const found: string[][] = [];
  for (const digit of ['1', '2', '3', '4']) {
    const isFree = cells.every(
      (cell, index) => cell !== digit || (Math.floor(index / 4) !== Math.floor(at / 4) && index % 4 !== at % 4),
    );
    if (isFree) found.push(...completions(cells.with(at, digit)));
    if (found.length > 1) return found.slice(0, 2);
  }
  return found;
}
