import { defineProblem, byLevel } from '../problem.ts';
import { inAnyOrder, list } from '../types/collections.ts';
import { ratio } from '../types/fraction.ts';
import { integer, rational } from '../types/numbers.ts';

export const median = defineProblem({
  name: 'median',
  subject: 'collections',
  about: 'The median of a list of integers.',
  input: list(integer({ low: -100_000, high: 100_000 }), { shortest: 1, longest: 40 }),
  output: rational(),
  canonical: inAnyOrder,
  sample: (random, level) =>
    Array.from({ length: length[level] + random.between(0, 1) }, () => random.between(0, size[level])),
  wordings: [
    x => `What is the median of the numbers in ${x}? For an even count it is the mean of the two in the middle.`,
    x => `Sort ${x}. Which value is in the middle? With two in the middle, give their mean.`,
  ],
  solve(numbers) {
    const sorted = numbers.toSorted((one, other) => one - other);
    const [low, high] = [
      sorted[Math.ceil(sorted.length / 2) - 1] as number,
      sorted[Math.floor(sorted.length / 2)] as number,
    ];
    return ratio(low + high, 2);
  },
  // Takes away the smallest and the greatest until one or two are left.
  bruteForce(numbers) {
    const rest = [...numbers];
    while (rest.length > 2) {
      rest.splice(rest.indexOf(Math.min(...rest)), 1);
      rest.splice(rest.indexOf(Math.max(...rest)), 1);
    }
    return rest.length === 1 ? (rest[0] as number) : ratio((rest[0] as number) + (rest[1] as number), 2);
  },
});

const length = byLevel(3, 6, 11);
const size = byLevel(20, 50, 300);
