import { defineProblem, byLevel } from '../problem.ts';
import { list } from '../types/collections.ts';
import { integer } from '../types/numbers.ts';

export const rowOfCoins = defineProblem({
  name: 'row-of-coins',
  subject: 'games',
  about: 'How much the first player gets from a row of coins.',
  input: list(integer({ low: 0, high: 1000 }), { shortest: 1, longest: 14 }),
  output: integer({ low: 0, high: 14_000 }),
  sample: (random, level) => Array.from({ length: length[level] }, () => random.between(1, 20)),
  wordings: [
    x =>
      `Coins of the values ${x} lie in a row. Two players take turns and take a coin from either end; both want as much as possible. How much does the first player get with perfect play?`,
    x =>
      `From the row ${x} two players alternately remove the first or the last number and add it to their score. Both play perfectly. What is the score of the player who begins?`,
  ],
  // The greatest lead over the other player, by length of the row.
  solve(coins) {
    let leads = [...coins];
    for (let size = 2; size <= coins.length; size++) {
      const before = leads;
      leads = Array.from({ length: coins.length - size + 1 }, (_, start) =>
        Math.max(
          (coins[start] as number) - (before[start + 1] as number),
          (coins[start + size - 1] as number) - (before[start] as number),
        ),
      );
    }
    return (coins.reduce((sum, coin) => sum + coin, 0) + (leads[0] as number)) / 2;
  },
  bruteForce(coins) {
    const play = (row: readonly number[]): readonly [number, number] => {
      if (row.length === 0) return [0, 0];
      const [left, right] = [play(row.slice(1)), play(row.slice(0, -1))];
      const [first, last] = [left[1] + (row[0] as number), right[1] + (row.at(-1) as number)];
      return first >= last ? [first, left[0]] : [last, right[0]];
    };
    return play(coins)[0];
  },
  bruteForceUpTo: 'medium',
});

const length = byLevel(3, 5, 9);
