import { defineProblem, byLevel } from '../problem.ts';
import { integer } from '../types/numbers.ts';

export const counterProgram = defineProblem({
  name: 'counter-program',
  subject: 'machines',
  about: 'The value of a variable after a loop.',
  input: integer({ low: 0, high: 10_000 }),
  output: integer({ low: -1_000_000, high: 100_000_000 }),
  sample: (random, level) => random.between(1, largest[level]),
  parameters: (_, random, level) => ({
    times: random.between(2, rounds[level]),
    add: random.between(1, 9),
    divisor: random.between(2, 4),
  }),
  wordings: [
    (x, { times: count, add, divisor }) =>
      `n is ${x}. Repeat ${count} times: if n is divisible by ${divisor}, divide it by ${divisor}; else add ${add} to it. What is n in the end?`,
    (x, { times: count, add, divisor }) =>
      `A program starts with n = ${x} and runs a loop ${count} times. In each round n becomes n / ${divisor} when that is a whole number, else n + ${add}. Which value has n after the loop?`,
  ],
  solve(number, { times: count, add, divisor }) {
    let n = number;
    for (let round = 0; round < count; round++) n = n % divisor === 0 ? n / divisor : n + add;
    return n;
  },
  bruteForce(number, { times: count, add, divisor }) {
    const run = (n: number, left: number): number => {
      if (left === 0) return n;
      const quotient = Math.floor(n / divisor);
      return run(quotient * divisor === n ? quotient : n + add, left - 1);
    };
    return run(number, count);
  },
});

const largest = byLevel(20, 100, 900);
const rounds = byLevel(3, 6, 14);
