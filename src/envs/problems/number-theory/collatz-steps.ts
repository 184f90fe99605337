import { defineProblem, byLevel } from '../problem.ts';
import { integer } from '../types/numbers.ts';

export const collatzSteps = defineProblem({
  name: 'collatz-steps',
  subject: 'number-theory',
  about: 'How long the Collatz sequence of a number is.',
  input: integer({ low: 1, high: 20_000 }),
  output: integer({ low: 0, high: 400 }),
  sample: (random, level) => random.between(3, largest[level]),
  wordings: [
    x =>
      `Start with ${x}. Halve the number when it is even, else multiply it by 3 and add 1. After how many steps is it 1 for the first time?`,
    x =>
      `Repeat with the number ${x} until it is 1: an even number is halved, an odd one becomes three times itself plus one. How many steps does that take?`,
  ],
  solve(number) {
    let [value, steps] = [number, 0];
    for (; value !== 1; steps++) value = value % 2 === 0 ? value / 2 : 3 * value + 1;
    return steps;
  },
  bruteForce(number) {
    const steps = (value: bigint): number =>
      value === 1n ? 0 : 1 + steps((value & 1n) === 0n ? value >> 1n : value * 3n + 1n);
    return steps(BigInt(number));
  },
});

const largest = byLevel(30, 60, 500);
