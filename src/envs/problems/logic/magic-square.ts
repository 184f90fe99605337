import { defineProblem, byLevel } from '../problem.ts';
import { list } from '../types/collections.ts';
import { integer } from '../types/numbers.ts';

export const magicSquare = defineProblem({
  name: 'magic-square',
  subject: 'logic',
  about: 'The missing number of a magic square.',
  input: list(integer({ low: 0, high: 500 }), { shortest: 9, longest: 9 }),
  output: integer({ low: 1, high: 500 }),
  sample(random, level) {
    const [middle, one, other] = [random.between(12, largest[level]), random.between(1, 4), random.between(5, 7)];
    const square = [
      middle - other,
      middle + one + other,
      middle - one,
      middle - one + other,
      middle,
      middle + one - other,
      middle + one,
      middle - one - other,
      middle + other,
    ];
    square[random.between(0, 8)] = 0;
    return square;
  },
  parameters: given =>
    given.filter(number => number === 0).length === 1 && restored(given) > 0 && isMagic(given) ? {} : null,
  wordings: [
    x =>
      `The list ${x} has the rows of a 3 by 3 magic square one after the other; 0 stands for the missing number. All rows, columns and diagonals have the same sum. Which number is missing?`,
    x =>
      `Read ${x} as three rows of three numbers. Which number must replace the 0 so that every row, column and both diagonals add up to the same?`,
  ],
  solve: restored,
  bruteForce(given) {
    for (let number = 1; number <= 500; number++) {
      const full = given.map(value => (value === 0 ? number : value));
      if (new Set(lines.map(line => line.reduce((sum, cell) => sum + (full[cell] as number), 0))).size === 1)
        return number;
    }
    return 1;
  },
});

const largest = byLevel(14, 40, 200);
const lines = [
  [0, 1, 2],
  [3, 4, 5],
  [6, 7, 8],
  [0, 3, 6],
  [1, 4, 7],
  [2, 5, 8],
  [0, 4, 8],
  [2, 4, 6],
];

/** From a row that is whole and the row of the gap. */
function restored(given: readonly number[]): number {
  const sums = [0, 3, 6].map(start => given.slice(start, start + 3).reduce((sum, number) => sum + number, 0));
  const gap = Math.floor(given.indexOf(0) / 3);
  return (sums[(gap + 1) % 3] as number) - (sums[gap] as number);
}

function isMagic(given: readonly number[]): boolean {
  const full = given.map(number => (number === 0 ? restored(given) : number));
  return new Set(lines.map(line => line.reduce((sum, cell) => sum + (full[cell] as number), 0))).size === 1;
}
