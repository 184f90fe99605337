import { defineProblem, byLevel } from '../problem.ts';
import { pair } from '../types/collections.ts';
import { ratio } from '../types/fraction.ts';
import { integer, rational } from '../types/numbers.ts';

export const coinHeads = defineProblem({
  name: 'coin-heads',
  subject: 'probability',
  about: 'How likely some heads are in some throws of a coin.',
  input: pair(integer({ low: 1, high: 16 }), integer({ low: 0, high: 16 })),
  output: rational(),
  sample(random, level) {
    const throws = random.between(2, most[level]);
    return [throws, random.between(0, throws)] as const;
  },
  parameters: ([throws, heads], random) => (heads > throws ? null : { isAtLeast: random.chance(0.5) }),
  wordings: [
    (x, { isAtLeast }) =>
      `The pair ${x} is a number of throws of a fair coin and a number of heads. How likely is it to get ${isAtLeast ? 'at least' : 'exactly'} so many heads?`,
    (x, { isAtLeast }) =>
      `A fair coin is thrown several times; ${x} gives the number of throws and the number of heads wanted. What is the probability of ${isAtLeast ? 'that many heads or more' : 'exactly that many heads'}?`,
  ],
  solve([throws, heads], { isAtLeast }) {
    const choose = (k: number): number =>
      Array.from({ length: k }, (_, index) => index).reduce(
        (product, index) => (product * (throws - index)) / (index + 1),
        1,
      );
    const wanted = Array.from({ length: isAtLeast ? throws - heads + 1 : 1 }, (_, index) => choose(heads + index));
    return ratio(
      wanted.reduce((sum, ways) => sum + ways, 0),
      2 ** throws,
    );
  },
  bruteForce([throws, heads], { isAtLeast }) {
    let hits = 0;
    for (let code = 0; code < 2 ** throws; code++) {
      const count = code.toString(2).replaceAll('0', '').length;
      if (isAtLeast ? count >= heads : count === heads) hits++;
    }
    return ratio(hits, 2 ** throws);
  },
  bruteForceUpTo: 'medium',
});

const most = byLevel(4, 7, 12);
