import { defineProblem, byLevel } from '../problem.ts';
import { integer } from '../types/numbers.ts';

export const modularInverse = defineProblem({
  name: 'modular-inverse',
  subject: 'number-theory',
  about: 'The inverse of a number for multiplication with remainder.',
  input: integer({ low: 1, high: 10_000 }),
  output: integer({ low: 1, high: 1000 }),
  sample: (random, level) => random.between(2, largest[level]),
  parameters(number, random, level) {
    const fitting = primes[level].filter(prime => number % prime !== 0);
    return fitting.length === 0 ? null : { modulus: random.pick(fitting) };
  },
  wordings: [
    (x, { modulus }) =>
      `Which number from 1 to ${modulus - 1}, multiplied by ${x}, leaves the remainder 1 when it is divided by ${modulus}?`,
    (x, { modulus }) => `What is the inverse of ${x} modulo ${modulus}? Give a number from 1 to ${modulus - 1}.`,
  ],
  // Extended Euclid.
  solve(number, { modulus }) {
    let [a, b, x, y] = [number % modulus, modulus, 1, 0];
    while (a > 1) {
      const quotient = Math.floor(a / b);
      [a, b, x, y] = [b, a % b, y, x - quotient * y];
    }
    return ((x % modulus) + modulus) % modulus;
  },
  bruteForce(number, { modulus }) {
    let candidate = 1;
    while ((candidate * number) % modulus !== 1) candidate++;
    return candidate;
  },
});

const largest = byLevel(10, 40, 300);
const primes = byLevel([7, 11], [13, 17, 19], [31, 53, 97, 101]);
