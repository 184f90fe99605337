import { defineProblem, byLevel } from '../problem.ts';
import { list } from '../types/collections.ts';
import { integer } from '../types/numbers.ts';

export const bestTrade = defineProblem({
  name: 'best-trade',
  subject: 'finance',
  about: 'The best profit from buying once and selling once.',
  input: list(integer({ low: 0, high: 100_000 }), { shortest: 2, longest: 40 }),
  output: integer({ low: 0, high: 100_000 }),
  sample: (random, level) => Array.from({ length: days[level] }, () => random.between(10, 99)),
  wordings: [
    x =>
      `The prices of a share on consecutive days are ${x}. What is the greatest profit from buying one share and selling it on a later day? It is 0 when no trade gains anything.`,
    x =>
      `Buy once and sell once later at the prices ${x}, given day by day, or do not trade at all. How much can be gained at most?`,
  ],
  solve(prices) {
    let [lowest, best] = [Number.POSITIVE_INFINITY, 0];
    for (const price of prices) {
      lowest = Math.min(lowest, price);
      best = Math.max(best, price - lowest);
    }
    return best;
  },
  bruteForce: prices =>
    Math.max(0, ...prices.flatMap((bought, day) => prices.slice(day + 1).map(sold => sold - bought))),
});

const days = byLevel(5, 9, 18);
