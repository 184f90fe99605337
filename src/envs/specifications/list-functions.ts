import { describeFunction, nearLists, nearNumbers, sampleNumbers, type Threshold } from './described-function.ts';
import type { Random } from '../../core/random.ts';

const numbers = 'a list of whole numbers, which may be empty';
const threshold = (random: Random): Threshold => ({ k: random.between(-30, 60) });

export const firstAbove = describeFunction({
  name: 'first-above',
  level: 'medium',
  input: numbers,
  output: 'a position, counted from 0, or -1',
  parameters: threshold,
  describe: ({ k }) => `the position of the first number of the input that is greater than ${k}, or -1 if none is`,
  sample: (random, { k }) => sampleNumbers(random, k - 6, k + 3),
  edges: ({ k }) => [[], [k], [k + 1], [k, k + 1, k + 2], [k + 2, k + 1], [k - 1, k]],
  oracle: ({ k }) => `let at = 0;\nfor (const x of input) {\n  if (x > ${k}) return at;\n  at = at + 1;\n}\nreturn -1;`,
  solve: (input, { k }) => input.findIndex(x => x > k),
  clauses: ({ k }) => [
    `output !== -1 || input.every(x => x <= ${k})`,
    `output === -1 || (output >= 0 && output < input.length && input[output] > ${k})`,
    `output === -1 || input.slice(0, output).every(x => x <= ${k})`,
  ],
  near: (output, random) => [...nearNumbers(output), random.between(0, 7)],
});

export const sortedKept = describeFunction({
  name: 'sorted-kept',
  level: 'medium',
  input: numbers,
  output: 'a list of whole numbers',
  parameters: random => ({ k: random.between(2, 40) }),
  describe: ({ k }) =>
    `the numbers of the input that are not divisible by ${k}, in ascending order; a number that stands there twice is kept twice`,
  sample: (random, { k }) => sampleNumbers(random, -k - 1, k + 1).map(x => (random.chance(0.3) ? k : x)),
  edges: ({ k }) => [[], [k], [k, 0, -k], [1, k + 1, 1], [k + 1, 1, k]],
  oracle: ({ k }) => `let result = [];
    for (const x of input) {
      if (x % ${k} === 0) continue;
      const before = result.filter(y => y <= x);
      const behind = result.filter(y => y > x);
      result = before.concat([x], behind);
    }
    return result;`,
  solve: (input, { k }) => input.filter(x => x % k !== 0).toSorted((left, right) => left - right),
  clauses: ({ k }) => [
    `output.length === input.filter(x => x % ${k} !== 0).length`,
    'output.every((x, at) => at === 0 || output[at - 1] <= x)',
    `input.every(x => x % ${k} === 0 || input.filter(y => y === x).length === output.filter(y => y === x).length)`,
  ],
  near: nearLists,
});

export const firstCopies = describeFunction({
  name: 'first-copies',
  level: 'medium',
  input: numbers,
  output: 'a list of whole numbers',
  parameters: threshold,
  describe: ({ k }) =>
    `the numbers of the input that are at least ${k}, each of them once, in the order in which they first appear`,
  sample: (random, { k }) => sampleNumbers(random, k - 2, k + 4),
  edges: ({ k }) => [[], [k], [k, k], [k + 1, k, k + 1], [k - 1, k, k + 2, k]],
  oracle: ({ k }) => `const result = [];
    for (const x of input) if (x >= ${k} && !result.includes(x)) result.push(x);
    return result;`,
  solve: (input, { k }) => [...new Set(input.filter(x => x >= k))],
  clauses: ({ k }) => [
    `output.every(x => x >= ${k} && input.includes(x))`,
    `input.every(x => x < ${k} || output.includes(x))`,
    'output.every((x, at) => at === 0 || input.indexOf(output[at - 1]) < input.indexOf(x))',
  ],
  near: nearLists,
});

export const runningSums = describeFunction({
  name: 'running-sums',
  level: 'medium',
  input: numbers,
  output: 'a list of whole numbers',
  parameters: threshold,
  describe: ({ k }) =>
    `a list as long as the input; each of its numbers is ${k} plus the sum of the numbers of the input up to this place, this one included`,
  sample: random => sampleNumbers(random, -9, 9),
  edges: () => [[], [0], [1], [3, -3], [0, 0, 5]],
  oracle: ({ k }) => `let sum = ${k};
    const result = [];
    for (const x of input) {
      sum = sum + x;
      result.push(sum);
    }
    return result;`,
  solve: (input, { k }) => input.map((_, at) => input.slice(0, at + 1).reduce((sum, x) => sum + x, k)),
  clauses: ({ k }) => [
    'output.length === input.length',
    `output.every((x, at) => x === input[at] + (at === 0 ? ${k} : output[at - 1]))`,
  ],
  near: nearLists,
});
