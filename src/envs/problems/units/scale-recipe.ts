import { defineProblem, byLevel } from '../problem.ts';
import { over, plus, ratio, type Rational } from '../types/fraction.ts';
import { integer, rational } from '../types/numbers.ts';

export const scaleRecipe = defineProblem({
  name: 'scale-recipe',
  subject: 'units',
  about: 'An amount of a recipe for more or fewer people.',
  input: integer({ low: 1, high: 10_000 }),
  output: rational({ unit: { name: 'grams', aliases: ['g', 'gram'] } }),
  sample: (random, level) => random.between(2, 40) * step[level],
  parameters: (_, random) => ({ from: random.between(2, 8), to: random.between(1, 12) }),
  wordings: [
    (x, { from, to }) =>
      `A recipe for ${from} people needs ${x} grams of flour. How many grams does it need for ${to} people? Do not round.`,
    (x, { from, to }) => `${from} portions take ${x} grams. How many grams do ${to} portions take, exactly?`,
  ],
  solve: (grams, { from, to }) => ratio(grams * to, from),
  bruteForce(grams, { from, to }) {
    let total: Rational = 0;
    for (let person = 0; person < to; person++) total = plus(total, over(grams, from));
    return total;
  },
});

const step = byLevel(20, 10, 3);
