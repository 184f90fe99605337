import type { Random } from '../../../core/random.ts';
import { defineProblem, byLevel } from '../problem.ts';
import { distinct, pair, set, type SetOf } from '../types/collections.ts';
import { integer } from '../types/numbers.ts';

export const setDifference = defineProblem({
  name: 'set-difference',
  subject: 'collections',
  about: 'The elements of one set that are not in another.',
  input: pair(set(integer({ low: -10_000, high: 10_000 })), set(integer({ low: -10_000, high: 10_000 }))),
  output: set(integer({ low: -10_000, high: 10_000 })),
  sample: (random, level) => [draw(random, size[level]), draw(random, size[level])] as const,
  wordings: [
    x => `Which numbers are in the first set of ${x}, but not in the second?`,
    x => `Take the elements of the second set of ${x} away from the first. Which ones are left?`,
  ],
  solve: ([one, other]) => distinct(one.filter(number => !other.includes(number))),
  bruteForce([one, other]) {
    const left = new Set(one);
    for (const number of other) left.delete(number);
    return distinct(left);
  },
});

const size = byLevel(5, 8, 14);

function draw(random: Random, count: number): SetOf<number> {
  return distinct(Array.from({ length: count }, () => random.between(1, count * 2)));
}
