import { defineProblem, byLevel } from '../problem.ts';
import { minus, plus, ratio, times, type Rational } from '../types/fraction.ts';
import { integer, rational } from '../types/numbers.ts';

export const discountPrice = defineProblem({
  name: 'discount-price',
  subject: 'finance',
  about: 'A price after discounts and tax.',
  input: integer({ low: 1, high: 100_000 }),
  output: rational({ unit: { name: 'dollars', aliases: ['$', 'usd', 'dollar'] } }),
  sample: (random, level) => random.between(2, 40) * step[level],
  parameters: (_, random, level) => ({
    discounts: Array.from({ length: count[level] }, () => random.pick([5, 10, 20, 25, 50])),
    tax: level === 'easy' ? 0 : random.pick([8, 10, 20]),
  }),
  wordings: [
    (x, { discounts, tax }) =>
      `Something costs ${x} dollars. The price is lowered by ${percents(discounts)}${tax === 0 ? '' : `; then ${tax} % tax is added`}. What is the price in dollars? Do not round.`,
    (x, { discounts, tax }) =>
      `From a price of ${x} dollars, discounts are taken one after the other: ${percents(discounts)}.${tax === 0 ? '' : ` ${tax} % tax comes on top of the result.`} How many dollars are to be paid, exactly?`,
  ],
  solve: (price, { discounts, tax }) =>
    ratio(
      discounts.reduce((amount, discount) => amount * BigInt(100 - discount), BigInt(price)) * BigInt(100 + tax),
      100n ** BigInt(discounts.length + 1),
    ),
  bruteForce(price, { discounts, tax }) {
    let amount: Rational = price;
    for (const discount of discounts) amount = minus(amount, times(amount, ratio(discount, 100)));
    return plus(amount, times(amount, ratio(tax, 100)));
  },
});

const step = byLevel(10, 5, 3);
const count = byLevel(1, 1, 2);

function percents(discounts: readonly number[]): string {
  return discounts.map(discount => `${discount} %`).join(', then by ');
}
