import type { Random } from '../../../core/random.ts';
import { defineProblem, byLevel } from '../problem.ts';
import { distinct, inAnyOrder, pair, set, type SetOf } from '../types/collections.ts';
import { integer } from '../types/numbers.ts';

export const setUnion = defineProblem({
  name: 'set-union',
  subject: 'collections',
  about: 'The elements of at least one of two sets.',
  input: pair(set(integer({ low: -10_000, high: 10_000 })), set(integer({ low: -10_000, high: 10_000 }))),
  output: set(integer({ low: -10_000, high: 10_000 }), { longest: 400 }),
  canonical: inAnyOrder,
  sample: (random, level) => [draw(random, size[level]), draw(random, size[level])] as const,
  wordings: [
    x => `Which numbers are in at least one of the two sets in ${x}?`,
    x => `What is the union of the two sets of ${x}?`,
  ],
  solve: ([one, other]) => distinct([...one, ...other]),
  bruteForce([one, other]) {
    const result: number[] = [];
    for (let number = -10_000; number <= 10_000; number++)
      if (one.includes(number) || other.includes(number)) result.push(number);
    return distinct(result);
  },
  bruteForceUpTo: 'easy',
});

const size = byLevel(4, 7, 12);

function draw(random: Random, count: number): SetOf<number> {
  return distinct(Array.from({ length: count }, () => random.between(1, count * 3)));
}
