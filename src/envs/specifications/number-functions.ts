import type { Random } from '../../core/random.ts';
import { describeFunction, nearNumbers, sampleNumbers, type Threshold } from './described-function.ts';

const wholeNumber = 'a whole number, which may be negative';
const someWholeNumber = (random: Random): number => random.between(-150, 300);
const divisor = (random: Random): Threshold => ({ k: random.between(3, 60) });

export const clamp = describeFunction({
  name: 'clamp',
  level: 'easy',
  input: wholeNumber,
  output: 'a whole number',
  parameters(random) {
    const low = random.between(-20, 10);
    return { low, high: low + random.between(3, 40) };
  },
  describe: ({ low, high }) => `the whole number from ${low} to ${high} that is nearest to the input`,
  sample: (random, { low, high }) => random.between(low - 20, high + 20),
  edges: ({ low, high }) => [low, high, low - 1, high + 1, low + 1, high - 1],
  oracle: ({ low, high }) => `return input < ${low} ? ${low} : input > ${high} ? ${high} : input;`,
  solve: (input, { low, high }) => [low, input, high].toSorted((left, right) => left - right)[1] as number,
  clauses: ({ low, high }) => [
    `input >= ${low} || output === ${low}`,
    `input <= ${high} || output === ${high}`,
    `input < ${low} || input > ${high} || output === input`,
  ],
  near: nearNumbers,
});

export const remainder = describeFunction({
  name: 'remainder',
  level: 'easy',
  input: wholeNumber,
  output: 'a whole number',
  parameters: divisor,
  describe: ({ k }) =>
    `the remainder of the input divided by ${k}: from 0 to ${k - 1}, also where the input is negative`,
  sample: someWholeNumber,
  edges: ({ k }) => [0, k, k - 1, -1, -k, 1 - k],
  oracle: ({ k }) => `const rest = input % ${k};\nreturn rest < 0 ? rest + ${k} : rest;`,
  solve(input, { k }) {
    let rest = input;
    while (rest < 0) rest += k;
    while (rest >= k) rest -= k;
    return rest;
  },
  clauses: ({ k }) => ['output >= 0', `output < ${k}`, `(input - output) % ${k} === 0`],
  near: (output, random) => [...nearNumbers(output), output + random.between(3, 60)],
});

export const roundDown = describeFunction({
  name: 'round-down',
  level: 'easy',
  input: wholeNumber,
  output: 'a whole number',
  parameters: divisor,
  describe: ({ k }) => `the greatest multiple of ${k} that is not greater than the input`,
  sample: someWholeNumber,
  edges: ({ k }) => [0, k, k - 1, -1, -k, 1 - k],
  oracle: ({ k }) => `let rest = input % ${k};\nif (rest < 0) rest = rest + ${k};\nreturn input - rest;`,
  solve: (input, { k }) => Math.floor(input / k) * k,
  clauses: ({ k }) => [`output % ${k} === 0`, 'output <= input', `output > input - ${k}`],
  // Multiples nearby are only told apart by the bounds.
  near: (output, random) => [...nearNumbers(output), output + random.between(3, 60), output * 2],
});

export const countAbove = describeFunction({
  name: 'count-above',
  level: 'easy',
  input: 'a list of whole numbers, which may be empty',
  output: 'a whole number',
  parameters: random => ({ k: random.between(-30, 60) }),
  describe: ({ k }) => `how many numbers of the input are greater than ${k}`,
  sample: (random, { k }) => sampleNumbers(random, k - 4, k + 4),
  edges: ({ k }) => [[], [k], [k + 1], [k, k + 1, k + 1, k - 1]],
  oracle: ({ k }) => `let count = 0;\nfor (const x of input) if (x > ${k}) count = count + 1;\nreturn count;`,
  solve: (input, { k }) => input.filter(x => x > k).length,
  clauses: ({ k }) => [`output === input.filter(x => x > ${k}).length`],
  near: nearNumbers,
});
