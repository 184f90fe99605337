import { collect, defineAtoms } from './atom.ts';

export const numberConstraints = defineAtoms({ role: 'constraint', from: 'numbers', to: 'numbers' }, [
  {
    name: 'keep-even',
    words: 'keep only the even numbers',
    solve: list => list.filter(x => x % 2 === 0),
    solveAgain: list =>
      collect(push => {
        for (const x of list) if ((Math.abs(x) & 1) === 0) push(x);
      }),
  },
  {
    name: 'keep-odd',
    words: 'keep only the odd numbers',
    solve: list => list.filter(x => x % 2 !== 0),
    solveAgain: list =>
      collect(push => {
        for (const x of list) if ((Math.abs(x) & 1) === 1) push(x);
      }),
  },
  {
    name: 'keep-greater',
    parameter: [1, 20],
    words: k => `keep only the numbers greater than ${k}`,
    solve: (list, k) => list.filter(x => x > k),
    solveAgain: (list, k) =>
      collect(push => {
        for (const x of list) if (Math.max(x, k + 1) === x) push(x);
      }),
  },
  {
    name: 'keep-smaller',
    parameter: [1, 20],
    words: k => `keep only the numbers smaller than ${k}`,
    solve: (list, k) => list.filter(x => x < k),
    solveAgain: (list, k) =>
      collect(push => {
        for (const x of list) if (Math.min(x, k - 1) === x) push(x);
      }),
  },
  {
    name: 'keep-multiples',
    parameter: [3, 7],
    words: k => `keep only the numbers that ${k} divides`,
    solve: (list, k) => list.filter(x => x % k === 0),
    solveAgain: (list, k) =>
      collect(push => {
        for (const x of list) if (Math.round(x / k) * k === x) push(x);
      }),
  },
  {
    name: 'keep-every-other',
    words: 'keep only the first, third, fifth number and so on',
    solve: list => list.filter((_, i) => i % 2 === 0),
    solveAgain: list =>
      collect(push => {
        for (let index = 0; index < list.length; index += 2) push(list[index] as number);
      }),
  },
  {
    name: 'drop-repeats',
    words: 'drop every number that came before',
    solve: list => list.filter((x, i) => list.indexOf(x) === i),
    solveAgain: list => [...new Set(list)],
  },
  {
    name: 'take-first',
    parameter: [2, 6],
    words: k => `keep only the first ${k} numbers, or all if there are fewer`,
    solve: (list, k) => list.slice(0, k),
    solveAgain: (list, k) =>
      collect(push => {
        for (let index = 0; index < Math.min(k, list.length); index++) push(list[index] as number);
      }),
  },
  {
    name: 'drop-first',
    parameter: [1, 4],
    words: k => (k === 1 ? 'drop the first number' : `drop the first ${k} numbers, or all if there are fewer`),
    solve: (list, k) => list.slice(k),
    solveAgain: (list, k) =>
      collect(push => {
        for (let index = k; index < list.length; index++) push(list[index] as number);
      }),
  },
  {
    name: 'keep-records',
    words: 'keep only the numbers that are greater than all numbers before them',
    solve: list => list.filter((x, i) => list.slice(0, i).every(y => y < x)),
    solveAgain: list =>
      collect(push => {
        let highest = -Infinity;
        for (const x of list) {
          if (x > highest) push(x);
          highest = Math.max(highest, x);
        }
      }),
  },
  {
    name: 'keep-rises',
    words:
      'keep only the numbers that are greater than the number just before them (the first has none and is dropped)',
    solve: list => list.filter((x, i) => i > 0 && x > (list[i - 1] ?? 0)),
    solveAgain: list =>
      collect(push => {
        let before = Infinity;
        for (const x of list) {
          if (x > before) push(x);
          before = x;
        }
      }),
  },
]);
