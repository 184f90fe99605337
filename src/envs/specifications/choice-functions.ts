import type { Random } from '../../core/random.ts';
import {
  countsOf,
  describeFunction,
  nearLists,
  nearNumbers,
  sampleNumbers,
  type Threshold,
} from './described-function.ts';

const numbers = 'a list of whole numbers, which may be empty';
const threshold = (random: Random): Threshold => ({ k: random.between(-30, 60) });
const sameLength = 'output.length === input.length';
const sameNumbers = 'input.every(x => input.filter(y => y === x).length === output.filter(y => y === x).length)';
/** The numbers are there, but not as often. */
const [noneLost, noneNew] = ['input.every(x => output.includes(x))', 'output.every(x => input.includes(x))'];
const sameSum = 'input.reduce((sum, x) => sum + x, 0) === output.reduce((sum, x) => sum + x, 0)';
const weaker = { [sameNumbers]: [noneLost, noneNew, `${noneLost} && ${noneNew}`, sameSum, `${noneNew} && ${sameSum}`] };

/** Several outputs are right for one input: a specification that recomputes one of them is not complete. */
export const byDistance = describeFunction({
  name: 'by-distance',
  level: 'hard',
  input: numbers,
  output: 'a list of whole numbers',
  parameters: threshold,
  describe: ({ k }) =>
    `the numbers of the input, ordered by their distance from ${k}, the nearest first; numbers that are equally far may stand in any order`,
  sample: (random, { k }) => sampleNumbers(random, k - 4, k + 4),
  edges: ({ k }) => [[], [k], [k - 1, k + 1], [k + 1, k - 1], [k + 2, k, k - 2, k], [k - 1, k - 1, k + 1]],
  oracle: ({ k }) => `const distance = x => x < ${k} ? ${k} - x : x - ${k};
    let result = [];
    for (const x of input) {
      const before = result.filter(y => distance(y) <= distance(x));
      const behind = result.filter(y => distance(y) > distance(x));
      result = before.concat([x], behind);
    }
    return result;`,
  solve: (input, { k }) => input.toSorted((left, right) => Math.abs(left - k) - Math.abs(right - k)),
  accepts: (input, output, { k }) =>
    countsOf(input) === countsOf(output) &&
    JSON.stringify(output.map(x => Math.abs(x - k))) === countsOf(input.map(x => Math.abs(x - k))),
  others: (input, { k }, random) =>
    Array.from({ length: 3 }, () =>
      random.shuffle(input).toSorted((left, right) => Math.abs(left - k) - Math.abs(right - k)),
    ),
  prelude: ({ k }) => `const distance = x => x < ${k} ? ${k} - x : x - ${k};`,
  clauses: () => [
    sameLength,
    sameNumbers,
    'output.every((x, at) => at === 0 || distance(output[at - 1]) <= distance(x))',
  ],
  weaker,
  near: nearLists,
});

export const placeOfGreatest = describeFunction({
  name: 'place-of-greatest',
  level: 'hard',
  input: numbers,
  output: 'a position, counted from 0, or -1',
  parameters: threshold,
  describe: ({ k }) =>
    `a position of the greatest number among those of the input that are at most ${k}, or -1 if none is; where it stands several times, any of its positions is right`,
  sample: (random, { k }) => sampleNumbers(random, k - 2, k + 2),
  edges: ({ k }) => [[], [k], [k + 1], [k, k], [k - 1, k + 1, k - 1], [k + 1, k, k, k - 1]],
  oracle: ({ k }) => `let best = -1;
    let at = 0;
    for (const x of input) {
      if (x <= ${k} && (best === -1 || x > input[best])) best = at;
      at = at + 1;
    }
    return best;`,
  solve: (input, { k }) => input.lastIndexOf(Math.max(...input.filter(x => x <= k))),
  accepts(input, output, { k }) {
    const kept = input.filter(x => x <= k).toSorted((left, right) => right - left);
    return kept.length === 0 ? output === -1 : input[output] === kept[0];
  },
  others: input => input.keys().toArray(),
  clauses: ({ k }) => [
    `output !== -1 || input.every(x => x > ${k})`,
    `output === -1 || (output >= 0 && output < input.length && input[output] <= ${k})`,
    `output === -1 || input.every(x => x > ${k} || x <= input[output])`,
  ],
  near: (output, random) => [...nearNumbers(output), random.between(0, 7)],
});

export const pairWithSum = describeFunction({
  name: 'pair-with-sum',
  level: 'hard',
  input: numbers,
  output: 'a list of two positions, counted from 0, or an empty list',
  parameters: threshold,
  describe: ({ k }) =>
    `two positions of the input, the smaller one first, whose numbers add up to ${k}; any such pair is right, and the empty list if there is none`,
  sample(random, { k }) {
    const half = Math.floor(k / 2);
    return sampleNumbers(random, half - 3, half + 3);
  },
  edges: ({ k }) => [[], [k], [k, 0], [0, k, 0], [1, k - 1, k, 0], [k, k]],
  oracle: ({ k }) => `for (let i = 0; i < input.length; i++) {
      for (let j = i + 1; j < input.length; j++) {
        if (input[i] + input[j] === ${k}) return [i, j];
      }
    }
    return [];`,
  solve: (input, { k }) => pairsOf(input, k).at(-1) ?? [],
  accepts(input, output, { k }) {
    const pairs = pairsOf(input, k);
    return pairs.length === 0 ? output.length === 0 : pairs.some(pair => `${pair}` === `${output}`);
  },
  others: (input, { k }) => pairsOf(input, k),
  clauses: ({ k }) => [
    'output.length === 0 || output.length === 2',
    `output.length === 2 || input.every((x, i) => input.every((y, j) => i >= j || x + y !== ${k}))`,
    `output.length === 0 || (output[0] >= 0 && output[0] < output[1] && output[1] < input.length && input[output[0]] + input[output[1]] === ${k})`,
  ],
  near: (output, random) => [
    [],
    output.toReversed(),
    [random.between(0, 3), random.between(4, 7)],
    [random.between(0, 2), random.between(0, 4)],
    [0, 0],
    [...output, 1],
    output.slice(0, 1),
  ],
});

function pairsOf(input: readonly number[], sum: number): readonly (readonly number[])[] {
  return input.flatMap((x, i) => input.flatMap((y, j) => (i < j && x + y === sum ? [[i, j]] : [])));
}

export const partition = describeFunction({
  name: 'partition',
  level: 'hard',
  input: numbers,
  output: 'a list of whole numbers',
  parameters: threshold,
  describe: ({ k }) =>
    `the numbers of the input in another order: those smaller than ${k} stand before all others, and else any order is right`,
  sample: (random, { k }) => sampleNumbers(random, k - 4, k + 3),
  edges: ({ k }) => [[], [k], [k, k - 1], [k - 1, k], [k + 1, k, k - 1, k - 2], [k, k]],
  oracle: ({ k }) => `const small = input.filter(x => x < ${k});
    const others = input.filter(x => x >= ${k});
    return small.concat(others);`,
  // Ascending order is one of the right ones.
  solve: input => input.toSorted((left, right) => left - right),
  accepts(input, output, { k }) {
    const small = input.filter(x => x < k).length;
    return countsOf(input) === countsOf(output) && output.slice(0, small).every(x => x < k);
  },
  others: (input, { k }, random) =>
    Array.from({ length: 3 }, () => {
      const shuffled = random.shuffle(input);
      return [...shuffled.filter(x => x < k), ...shuffled.filter(x => x >= k)];
    }),
  clauses: ({ k }) => [
    sameLength,
    sameNumbers,
    `output.every((x, at) => at === 0 || x >= ${k} || output[at - 1] < ${k})`,
  ],
  weaker,
  near: nearLists,
});
