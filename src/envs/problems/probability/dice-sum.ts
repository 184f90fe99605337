import { defineProblem, byLevel } from '../problem.ts';
import { ratio } from '../types/fraction.ts';
import { integer, rational } from '../types/numbers.ts';

export const diceSum = defineProblem({
  name: 'dice-sum',
  subject: 'probability',
  about: 'How likely some dice add up to a number.',
  input: integer({ low: 1, high: 36 }),
  output: rational(),
  sample: (random, level) => random.between(dice[level], 6 * dice[level]),
  parameters: (_, __, level) => ({ dice: dice[level] }),
  wordings: [
    (x, { dice: count }) => `${count} ordinary dice are thrown. How likely is it that the sum is ${x}?`,
    (x, { dice: count }) =>
      `What is the probability of a total of ${x} with ${count} fair six-sided dice? Give an exact fraction.`,
  ],
  solve(sum, { dice: count }) {
    let ways = new Map([[0, 1]]);
    for (let die = 0; die < count; die++) {
      const next = new Map<number, number>();
      for (const [total, number] of ways)
        for (let face = 1; face <= 6; face++) next.set(total + face, (next.get(total + face) ?? 0) + number);
      ways = next;
    }
    return ratio(ways.get(sum) ?? 0, 6 ** count);
  },
  bruteForce(sum, { dice: count }) {
    let hits = 0;
    for (let code = 0; code < 6 ** count; code++) {
      let total = count;
      for (let rest = code, die = 0; die < count; die++, rest = Math.floor(rest / 6)) total += rest % 6;
      if (total === sum) hits++;
    }
    return ratio(hits, 6 ** count);
  },
});

const dice = byLevel(2, 3, 4);
