import { defineProblem, byLevel } from '../problem.ts';
import { integer } from '../types/numbers.ts';

export const modularPower = defineProblem({
  name: 'modular-power',
  subject: 'arithmetic',
  about: 'The remainder of a power.',
  input: integer({ low: 0, high: 10 ** 6 }),
  output: integer({ low: 0, high: 999 }),
  sample: (random, level) => random.between(2, base[level]),
  parameters: (_, random, level) => ({
    exponent: random.between(2, exponent[level]),
    modulus: random.between(5, modulus[level]),
  }),
  wordings: [
    (x, { exponent: power, modulus: by }) =>
      `What is the remainder when ${x} to the power of ${power} is divided by ${by}?`,
    (x, { exponent: power, modulus: by }) =>
      `Raise ${x} to the power of ${power} and divide by ${by}. What is the remainder?`,
  ],
  // Squares and multiplies.
  solve(number, { exponent: power, modulus: by }) {
    let [result, square] = [1 % by, number % by];
    for (let rest = power; rest > 0; rest = Math.floor(rest / 2)) {
      if (rest % 2 === 1) result = (result * square) % by;
      square = (square * square) % by;
    }
    return result;
  },
  bruteForce: (number, { exponent: power, modulus: by }) => Number(BigInt(number) ** BigInt(power) % BigInt(by)),
});

const base = byLevel(9, 50, 500);
const exponent = byLevel(4, 12, 60);
const modulus = byLevel(10, 50, 999);
