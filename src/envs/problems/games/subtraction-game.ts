import { defineProblem, byLevel } from '../problem.ts';
import { integer } from '../types/numbers.ts';
import { choice } from '../types/words.ts';

export const subtractionGame = defineProblem({
  name: 'subtraction-game',
  subject: 'games',
  about: 'Whether the first player wins a game of taking stones.',
  input: integer({ low: 0, high: 300 }),
  output: choice(['first', 'second']),
  sample(random, level) {
    const most = largest[level];
    return random.chance(0.5) ? random.between(1, most) : Math.floor(random.between(3, most) / 3) * 3;
  },
  parameters: (_, random, level) => ({ takes: random.pick(rules[level]) }),
  wordings: [
    (x, { takes }) =>
      `There are ${x} stones. Two players take turns, and each takes ${takes.join(' or ')} stones. Who cannot move loses. Does the first or the second player win with perfect play?`,
    (x, { takes }) =>
      `Two players alternately remove ${takes.join(' or ')} stones from a heap of ${x}. Whoever has no move left loses. Which one, first or second, can force a win?`,
  ],
  solve(stones, { takes }) {
    const wins: boolean[] = [];
    for (let heap = 0; heap <= stones; heap++)
      wins.push(takes.some(take => take <= heap && wins[heap - take] === false));
    return wins[stones] === true ? 'first' : 'second';
  },
  // Marks heaps that lose, and all that lead to them.
  bruteForce(stones, { takes }) {
    const winning = new Set<number>();
    for (let heap = 0; heap <= stones; heap++)
      if (!winning.has(heap)) for (const take of takes) winning.add(heap + take);
    return winning.has(stones) ? 'first' : 'second';
  },
});

const largest = byLevel(15, 40, 150);
const rules = byLevel(
  [[1, 2]],
  [
    [1, 2],
    [1, 4],
  ],
  [
    [1, 3, 4],
    [2, 3],
    [1, 4, 5],
  ],
);
