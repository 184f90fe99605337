import { defineProblem, byLevel } from '../problem.ts';
import { inAnyOrder, list } from '../types/collections.ts';
import { integer } from '../types/numbers.ts';

export const productList = defineProblem({
  name: 'product-list',
  subject: 'arithmetic',
  about: 'The product of a list of small integers.',
  input: list(integer({ low: -30, high: 30 }), { shortest: 1, longest: 8 }),
  output: integer({ low: -(30 ** 8), high: 30 ** 8 }),
  canonical: inAnyOrder,
  sample: (random, level) => Array.from({ length: length[level] }, () => random.between(low[level], 12)),
  wordings: [
    x => `What is the product of the numbers in ${x}?`,
    x => `Multiply all the numbers of ${x} with each other. What do you get?`,
  ],
  solve: numbers => numbers.reduce((product, number) => product * number, 1) + 0,
  // Multiplies by adding again and again.
  bruteForce(numbers) {
    let product = 1n;
    for (const number of numbers) {
      let sum = 0n;
      for (let count = 0; count < Math.abs(number); count++) sum += product;
      product = number < 0 ? -sum : sum;
    }
    return Number(product);
  },
});

const length = byLevel(2, 4, 5);
const low = byLevel(1, 2, -12);
