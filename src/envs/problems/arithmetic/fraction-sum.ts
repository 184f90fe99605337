import type { Random } from '../../../core/random.ts';
import { defineProblem, byLevel } from '../problem.ts';
import { inAnyOrder, pair } from '../types/collections.ts';
import { plus, ratio, type Rational } from '../types/fraction.ts';
import { rational } from '../types/numbers.ts';

export const fractionSum = defineProblem({
  name: 'fraction-sum',
  subject: 'arithmetic',
  about: 'The sum of two fractions.',
  input: pair(rational(), rational()),
  output: rational(),
  canonical: inAnyOrder,
  sample: (random, level) => [any(random, most[level]), any(random, most[level])] as const,
  parameters: ([one, other]) => (isSmall(one) && isSmall(other) ? {} : null),
  wordings: [
    x => `What is the sum of the two numbers in ${x}?`,
    x => `Add the two numbers of ${x}. Give the exact result.`,
  ],
  solve: ([one, other]) => plus(one, other),
  // Counts in units of the product of both denominators.
  bruteForce([one, other]) {
    const [a, b] = typeof one === 'number' ? [one, 1] : [one.numerator, one.denominator];
    const [c, d] = typeof other === 'number' ? [other, 1] : [other.numerator, other.denominator];
    const [top, bottom] = [a * d + c * b, b * d];
    for (let divisor = Math.min(Math.abs(top), bottom); divisor > 1; divisor--) {
      if (top % divisor === 0 && bottom % divisor === 0) return ratio(top / divisor, bottom / divisor);
    }
    return top === 0 ? 0 : ratio(top, bottom);
  },
});

const most = byLevel(6, 15, 60);

function any(random: Random, largest: number): Rational {
  return ratio(random.between(1, largest), random.between(2, largest));
}

function isSmall(value: Rational): boolean {
  const [top, bottom] = typeof value === 'number' ? [value, 1] : [value.numerator, value.denominator];
  return Math.abs(top) <= 1000 && bottom <= 300;
}
