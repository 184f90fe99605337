import { defineProblem, byLevel } from '../problem.ts';
import { plus, ratio, times, type Rational } from '../types/fraction.ts';
import { integer, rational } from '../types/numbers.ts';

export const compoundInterest = defineProblem({
  name: 'compound-interest',
  subject: 'finance',
  about: 'Money with interest after some years.',
  input: integer({ low: 1, high: 100_000 }),
  output: rational({ unit: { name: 'dollars', aliases: ['$', 'usd', 'dollar'] } }),
  sample: (random, level) => random.between(1, 20) * step[level],
  parameters: (_, random, level) => ({ rate: random.pick([5, 10, 20]), years: random.between(1, years[level]) }),
  wordings: [
    (x, { rate, years: count }) =>
      `${x} dollars earn ${rate} % interest a year, which is added to the money each year. How many dollars are there after ${count} ${count === 1 ? 'year' : 'years'}? Do not round.`,
    (x, { rate, years: count }) =>
      `What do ${x} dollars grow to in ${count} ${count === 1 ? 'year' : 'years'} with compound interest of ${rate} % a year? Give the exact amount in dollars.`,
  ],
  solve: (money, { rate, years: count }) =>
    ratio(BigInt(money) * BigInt(100 + rate) ** BigInt(count), 100n ** BigInt(count)),
  bruteForce(money, { rate, years: count }) {
    let amount: Rational = money;
    for (let year = 0; year < count; year++) amount = plus(amount, times(amount, ratio(rate, 100)));
    return amount;
  },
});

const step = byLevel(100, 50, 10);
const years = byLevel(1, 2, 4);
