import { defineProblem, byLevel } from '../problem.ts';
import { ratio } from '../types/fraction.ts';
import { integer, rational } from '../types/numbers.ts';

export const diceSum = defineProblem({
  name: 'dice-sum',
  subject: 'probability',
  about: 'How likely some dice add up to a number, or to more.',
  input: integer({ low: 1, high: 36 }),
  output: rational(),
  sample: (random, level) => random.between(dice[level], 6 * dice[level]),
  parameters: (_, random, level) => ({ dice: dice[level], isAtLeast: random.chance(0.5) }),
  wordings: [
    (x, { dice: count, isAtLeast }) =>
      `${count} ordinary dice are thrown. How likely is it that the sum is ${isAtLeast ? 'at least ' : ''}${x}?`,
    (x, { dice: count, isAtLeast }) =>
      `What is the probability of a total of ${x}${isAtLeast ? ' or more' : ''} with ${count} fair six-sided dice? Give an exact fraction.`,
  ],
  solve(sum, { dice: count, isAtLeast }) {
    let ways = new Map([[0, 1]]);
    for (let die = 0; die < count; die++) {
      const next = new Map<number, number>();
      for (const [total, number] of ways)
        for (let face = 1; face <= 6; face++) next.set(total + face, (next.get(total + face) ?? 0) + number);
      ways = next;
    }
    const isWanted = (total: number): boolean => (isAtLeast ? total >= sum : total === sum);
    const wanted = [...ways].filter(([total]) => isWanted(total));
    return ratio(
      wanted.reduce((all, [, number]) => all + number, 0),
      6 ** count,
    );
  },
  bruteForce(sum, { dice: count, isAtLeast }) {
    let hits = 0;
    for (let code = 0; code < 6 ** count; code++) {
      let total = count;
      for (let rest = code, die = 0; die < count; die++, rest = Math.floor(rest / 6)) total += rest % 6;
      if (isAtLeast ? total >= sum : total === sum) hits++;
    }
    return ratio(hits, 6 ** count);
  },
});

const dice = byLevel(2, 3, 4);
