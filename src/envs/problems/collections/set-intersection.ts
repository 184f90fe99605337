import type { Random } from '../../../core/random.ts';
import { defineProblem, byLevel } from '../problem.ts';
import { distinct, inAnyOrder, pair, set, type SetOf } from '../types/collections.ts';
import { integer } from '../types/numbers.ts';

export const setIntersection = defineProblem({
  name: 'set-intersection',
  subject: 'collections',
  about: 'The elements that two sets share.',
  input: pair(set(integer({ low: -10_000, high: 10_000 })), set(integer({ low: -10_000, high: 10_000 }))),
  output: set(integer({ low: -10_000, high: 10_000 })),
  canonical: inAnyOrder,
  sample: (random, level) => [draw(random, size[level]), draw(random, size[level])] as const,
  wordings: [x => `Which numbers are in both sets of ${x}?`, x => `What is the intersection of the two sets in ${x}?`],
  solve([one, other]) {
    const known = new Set(other);
    return distinct(one.filter(number => known.has(number)));
  },
  // Walks along both in step.
  bruteForce([one, other]) {
    const shared: number[] = [];
    for (let left = 0, right = 0; left < one.length && right < other.length; ) {
      const [a, b] = [one[left] as number, other[right] as number];
      if (a === b) shared.push(a);
      if (a <= b) left++;
      if (b <= a) right++;
    }
    return distinct(shared);
  },
});

const size = byLevel(6, 9, 15);

function draw(random: Random, count: number): SetOf<number> {
  return distinct(Array.from({ length: count }, () => random.between(1, count * 2)));
}
