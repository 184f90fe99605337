import { defineProblem, byLevel } from '../problem.ts';
import { integer } from '../types/numbers.ts';
import { choice } from '../types/words.ts';

export const abundance = defineProblem({
  name: 'abundance',
  subject: 'number-theory',
  about: 'Whether a number is deficient, perfect or abundant.',
  input: integer({ low: 1, high: 20_000 }),
  output: choice(['deficient', 'perfect', 'abundant']),
  sample: (random, level) =>
    random.chance(0.2) ? random.pick([6, 28, 496]) : random.between(2, largest[level]) * (random.chance(0.6) ? 6 : 1),
  wordings: [
    x =>
      `Compare ${x} with the sum of its positive divisors other than itself. Is it deficient (the sum is smaller), perfect (equal) or abundant (the sum is greater)?`,
    x =>
      `Add the positive divisors of ${x}, itself left out. Is the number deficient (sum below it), perfect (sum equal) or abundant (sum above it)?`,
  ],
  solve(number) {
    let sum = number === 1 ? 0 : 1;
    for (let divisor = 2; divisor * divisor <= number; divisor++)
      if (number % divisor === 0) sum += divisor * divisor === number ? divisor : divisor + number / divisor;
    return sum < number ? 'deficient' : sum === number ? 'perfect' : 'abundant';
  },
  bruteForce(number) {
    let left = number;
    for (let divisor = 1; divisor <= number / 2; divisor++) if (number % divisor === 0) left -= divisor;
    return left > 0 ? 'deficient' : left === 0 ? 'perfect' : 'abundant';
  },
});

const largest = byLevel(15, 60, 600);
