import { defineProblem, byLevel } from '../problem.ts';
import { integer } from '../types/numbers.ts';

export const fewestCoins = defineProblem({
  name: 'fewest-coins',
  subject: 'finance',
  about: 'The fewest coins that make up an amount.',
  input: integer({ low: 1, high: 400 }),
  output: integer({ low: 1, high: 400 }),
  sample: (random, level) => random.between(6, largest[level]),
  parameters: (_, random, level) => ({ coins: random.pick(systems[level]) }),
  wordings: [
    (x, { coins }) =>
      `There are coins of ${coins.join(', ')} cents, as many as you like. What is the smallest number of coins that add up to ${x} cents?`,
    (x, { coins }) => `Pay ${x} cents with coins of ${coins.join(', ')} cents. How many coins does it take at least?`,
  ],
  solve(amount, { coins }) {
    const fewest = [0];
    for (let sum = 1; sum <= amount; sum++)
      fewest.push(1 + Math.min(...coins.filter(coin => coin <= sum).map(coin => fewest[sum - coin] as number)));
    return fewest[amount] as number;
  },
  // Sums that can be reached with one coin, two coins, and so on.
  bruteForce(amount, { coins }) {
    let reached = new Set([0]);
    for (let count = 0; ; count++) {
      if (reached.has(amount)) return count;
      reached = new Set([...reached].flatMap(sum => coins.map(coin => sum + coin)).filter(sum => sum <= amount));
    }
  },
});

const largest = byLevel(30, 80, 200);
const systems = byLevel(
  [
    [1, 5, 10],
    [1, 2, 5],
  ],
  [
    [1, 4, 9],
    [1, 5, 8, 20],
  ],
  [
    [1, 7, 10, 23],
    [1, 6, 15, 22],
  ],
);
