import { defineProblem, byLevel } from '../problem.ts';
import { inAnyOrder, list } from '../types/collections.ts';
import { plus, ratio, times, type Rational } from '../types/fraction.ts';
import { integer, rational } from '../types/numbers.ts';

export const meanList = defineProblem({
  name: 'mean-list',
  subject: 'arithmetic',
  about: 'The arithmetic mean of a list of integers.',
  input: list(integer({ low: -100_000, high: 100_000 }), { shortest: 1, longest: 60 }),
  output: rational(),
  canonical: inAnyOrder,
  sample: (random, level) => Array.from({ length: length[level] }, () => random.between(0, size[level])),
  wordings: [x => `What is the mean of the numbers in ${x}?`, x => `Give the exact average of the numbers in ${x}.`],
  solve: numbers =>
    ratio(
      numbers.reduce((sum, number) => sum + number, 0),
      numbers.length,
    ),
  // Moves the mean with every number.
  bruteForce: numbers =>
    numbers.reduce<Rational>(
      (mean, number, index) => plus(times(mean, ratio(index, index + 1)), ratio(number, index + 1)),
      0,
    ),
});

const length = byLevel(3, 5, 9);
const size = byLevel(10, 50, 200);
