import { defineProblem, byLevel } from '../problem.ts';
import { integer } from '../types/numbers.ts';
import { boolean } from '../types/words.ts';

export const isPrime = defineProblem({
  name: 'is-prime',
  subject: 'number-theory',
  about: 'Whether a number is prime.',
  input: integer({ low: 0, high: 10 ** 6 }),
  output: boolean,
  sample(random, level) {
    const wanted = random.chance(0.5);
    let number = random.between(2, largest[level]);
    while (isPrimeNumber(number) !== wanted) number = random.between(2, largest[level]);
    return number;
  },
  wordings: [x => `Is ${x} a prime number?`, x => `Does ${x} have exactly two positive divisors?`],
  solve: isPrimeNumber,
  bruteForce(number) {
    let count = 0;
    for (let divisor = 1; divisor <= Math.min(number, 2000); divisor++) {
      if (number % divisor !== 0) continue;
      count += divisor * divisor === number ? 1 : divisor * divisor < number ? 2 : 0;
    }
    return count === 2;
  },
});

const largest = byLevel(50, 500, 20_000);

function isPrimeNumber(number: number): boolean {
  if (number < 4) return number > 1;
  if (number % 2 === 0 || number % 3 === 0) return false;
  for (let factor = 5; factor * factor <= number; factor += 6)
    if (number % factor === 0 || number % (factor + 2) === 0) return false;
  return true;
}
