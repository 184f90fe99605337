import { defineProblem, byLevel } from '../problem.ts';
import { pair } from '../types/collections.ts';
import { ratio, times, type Rational } from '../types/fraction.ts';
import { integer, rational } from '../types/numbers.ts';

export const drawBalls = defineProblem({
  name: 'draw-balls',
  subject: 'probability',
  about: 'How likely all drawn balls have one colour.',
  input: pair(integer({ low: 1, high: 20 }), integer({ low: 1, high: 20 })),
  output: rational(),
  sample: (random, level) => [random.between(2, most[level]), random.between(2, most[level])] as const,
  parameters: ([red, blue], random, level) =>
    red + blue < 3 ? null : { drawn: random.between(2, Math.min(draws[level], red + blue)) },
  wordings: [
    (x, { drawn }) =>
      `A bag has red and blue balls: the two numbers in ${x} say how many of each. ${drawn} balls are drawn without putting any back. How likely are all of them red?`,
    (x, { drawn }) =>
      `From a bag with red and blue balls, as many as ${x} says (red, blue), ${drawn} are taken at once. What is the probability that no blue one is among them?`,
  ],
  solve([red, blue], { drawn }) {
    let chance: Rational = 1;
    for (let index = 0; index < drawn; index++)
      chance = times(chance, ratio(Math.max(0, red - index), red + blue - index));
    return chance;
  },
  // Counts the choices by Pascal's triangle.
  bruteForce([red, blue], { drawn }) {
    let row = [1];
    const rows = [row];
    for (let size = 1; size <= red + blue; size++) {
      row = [1, ...row.map((value, index) => value + (row[index + 1] ?? 0))];
      rows.push(row);
    }
    return ratio(rows[red]?.[drawn] ?? 0, rows[red + blue]?.[drawn] ?? 1);
  },
});

const most = byLevel(5, 8, 14);
const draws = byLevel(2, 3, 4);
