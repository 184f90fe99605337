import { collect, defineAtoms } from './atom.ts';

export const listOperations = defineAtoms({ from: 'numbers', to: 'numbers' }, [
  {
    name: 'add-each',
    parameter: [1, 9],
    words: k => `add ${k} to each number`,
    solve: (list, k) => list.map(x => x + k),
    solveAgain: (list, k) =>
      collect(push => {
        for (const x of list) push(x - -k);
      }),
  },
  {
    name: 'multiply-each',
    parameter: [2, 5],
    words: k => `multiply each number by ${k}`,
    solve: (list, k) => list.map(x => x * k),
    solveAgain: (list, k) =>
      collect(push => {
        for (const x of list) push(Array.from({ length: k }, () => x).reduce((a, b) => a + b));
      }),
  },
  {
    name: 'negate-each',
    words: 'change the sign of each number',
    solve: list => list.map(x => 0 - x),
    solveAgain: list => [...list].map(x => (x === 0 ? 0 : -x)),
  },
  {
    name: 'absolute-each',
    words: 'replace each number by its absolute value',
    solve: list => list.map(x => (x < 0 ? 0 - x : x)),
    solveAgain: list => [...list].map(Math.abs),
  },
  {
    name: 'square-each',
    words: 'square each number',
    solve: list => list.map(x => x * x),
    solveAgain: list => [...list].map(x => Math.abs(x) ** 2),
  },
  {
    name: 'sort-up',
    words: 'sort the numbers in ascending order',
    solve: list => [...list].toSorted((a, b) => a - b),
    solveAgain: list => [...Float64Array.from(list).toSorted()].map(x => x + 0),
  },
  {
    name: 'sort-down',
    words: 'sort the numbers in descending order',
    solve: list => [...list].toSorted((a, b) => b - a),
    solveAgain: list => [...Float64Array.from(list).toSorted()].toReversed(),
  },
  {
    name: 'reverse',
    words: 'reverse the order of the numbers',
    solve: list => list.map((_, i) => list[list.length - 1 - i] ?? 0),
    solveAgain: list => list.toReversed(),
  },
  {
    name: 'running-sums',
    words: 'replace each number by the sum of all numbers up to and including it',
    solve: list => list.map((_, i) => list.slice(0, i + 1).reduce((a, b) => a + b, 0)),
    solveAgain: list =>
      collect(push => {
        let sum = 0;
        for (const x of list) push((sum += x));
      }),
  },
  {
    name: 'running-maximum',
    words: 'replace each number by the greatest of all numbers up to and including it',
    solve: list => list.map((x, i) => list.slice(0, i).reduce((a, b) => (a > b ? a : b), x)),
    solveAgain: list =>
      collect(push => {
        let highest = -Infinity;
        for (const x of list) push((highest = Math.max(highest, x)));
      }),
  },
  {
    name: 'differences',
    words: 'list the differences of neighbours: each number minus the one before it (one number fewer than before)',
    solve: list => list.slice(1).map((x, i) => x - (list[i] ?? 0)),
    solveAgain: list =>
      collect(push => {
        for (let index = 1; index < list.length; index++) push((list[index] as number) - (list[index - 1] as number));
      }),
  },
  {
    name: 'rotate-left',
    parameter: [1, 3],
    words: k => `move the first number to the end${k === 1 ? '' : `, ${k} times`}`,
    solve: (list, k) => list.map((_, i) => list[(i + k) % list.length] ?? 0),
    solveAgain(list, k) {
      const copy = [...list];
      for (let time = 0; time < k && copy.length > 0; time++) copy.push(copy.shift() as number);
      return copy;
    },
  },
  {
    name: 'limit-each',
    parameter: [5, 15],
    words: k => `replace each number greater than ${k} by ${k}`,
    solve: (list, k) => list.map(x => (x > k ? k : x)),
    solveAgain: (list, k) => [...list].map(x => Math.min(x, k)),
  },
  {
    name: 'digit-sum-each',
    words: 'replace each number by the sum of its decimal digits (its sign does not count)',
    solve: list => list.map(x => [...String(Math.abs(x))].reduce((sum, digit) => sum + Number(digit), 0)),
    solveAgain: list =>
      collect(push => {
        for (const x of list) {
          let [rest, sum] = [Math.abs(x), 0];
          for (; rest > 0; rest = Math.floor(rest / 10)) sum += rest % 10;
          push(sum);
        }
      }),
  },
]);

export const reductions = defineAtoms({ from: 'numbers', to: 'number' }, [
  {
    name: 'sum',
    words: 'add up the numbers (0 if there is none)',
    solve: list => list.reduce((a, b) => a + b, 0),
    solveAgain(list) {
      let sum = 0;
      for (const x of list) sum += x;
      return sum;
    },
  },
  {
    name: 'greatest',
    words: 'take the greatest number (0 if there is none)',
    solve: list => list.reduce((a, b) => (a > b ? a : b), list[0] ?? 0),
    solveAgain: list => (list.length === 0 ? 0 : Math.max(...list)),
  },
  {
    name: 'least',
    words: 'take the least number (0 if there is none)',
    solve: list => list.reduce((a, b) => (a < b ? a : b), list[0] ?? 0),
    solveAgain: list => (list.length === 0 ? 0 : Math.min(...list)),
  },
  {
    name: 'count',
    words: 'count the numbers',
    solve: list => list.length,
    solveAgain: list => list.reduce(count => count + 1, 0),
  },
  {
    name: 'spread',
    words: 'subtract the least number from the greatest (0 if there is none)',
    solve: list => list.flatMap(a => list.map(b => a - b)).reduce((a, b) => (a > b ? a : b), 0),
    solveAgain: list => (list.length === 0 ? 0 : Math.max(...list) - Math.min(...list)),
  },
  {
    name: 'alternating-sum',
    words: 'compute the first number minus the second plus the third minus the fourth and so on (0 if there is none)',
    solve: list => list.reduce((sum, x, i) => (i % 2 === 0 ? sum + x : sum - x), 0),
    solveAgain(list) {
      let [sum, sign] = [0, 1];
      for (const x of list) {
        sum += sign * x;
        sign = -sign;
      }
      return sum;
    },
  },
  {
    name: 'inversions',
    words: 'count the pairs of positions where the earlier number is greater than the later one',
    solve: list => list.reduce((count, x, i) => count + list.slice(i + 1).filter(y => x > y).length, 0),
    solveAgain(list) {
      let count = 0;
      for (let right = 1; right < list.length; right++)
        for (let left = 0; left < right; left++) if ((list[left] as number) > (list[right] as number)) count++;
      return count;
    },
  },
  {
    name: 'best-block',
    words: 'find the greatest sum of neighbouring numbers, where an empty block counts as 0',
    solve: list =>
      list.reduce(
        ([best, here], x) => {
          const next = here + x > 0 ? here + x : 0;
          return [next > best ? next : best, next] as [number, number];
        },
        [0, 0] as [number, number],
      )[0],
    solveAgain(list) {
      let best = 0;
      for (let start = 0; start < list.length; start++)
        for (let end = start + 1; end <= list.length; end++)
          best = Math.max(
            best,
            list.slice(start, end).reduce((a, b) => a + b),
          );
      return best;
    },
  },
  {
    name: 'most-frequent',
    words: 'take the number that occurs most often, the least of them if several do (0 if there is none)',
    solve: list =>
      [...list]
        .toSorted((a, b) => a - b)
        .reduce(
          (best, x) => (list.filter(y => y === x).length > list.filter(y => y === best).length ? x : best),
          list.reduce((a, b) => (a < b ? a : b), list[0] ?? 0),
        ),
    solveAgain(list) {
      const counts = new Map<number, number>();
      for (const x of list) counts.set(x, (counts.get(x) ?? 0) + 1);
      const most = Math.max(0, ...counts.values());
      const modes = [...counts].filter(([, count]) => count === most).map(([x]) => x);
      return modes.length === 0 ? 0 : Math.min(...modes);
    },
  },
  {
    name: 'count-distinct',
    words: 'count how many different numbers there are',
    solve: list => list.filter((x, i) => list.indexOf(x) === i).length,
    solveAgain: list => new Set(list).size,
  },
]);

export const scalarOperations = defineAtoms({ from: 'number', to: 'number' }, [
  {
    name: 'add',
    parameter: [3, 30],
    words: k => `add ${k}`,
    solve: (x, k) => x + k,
    solveAgain: (x, k) => x - -k,
  },
  {
    name: 'multiply',
    parameter: [3, 9],
    words: k => `multiply by ${k}`,
    solve: (x, k) => x * k,
    solveAgain: (x, k) => Array.from({ length: k }, () => x).reduce((a, b) => a + b),
  },
  {
    name: 'remainder',
    parameter: [3, 11],
    words: k => `take the remainder on division by ${k}, from 0 to ${k - 1} also for negative numbers`,
    solve: (x, k) => ((x % k) + k) % k,
    solveAgain: (x, k) => x - k * Math.floor(x / k),
  },
  {
    name: 'square',
    words: 'square the result',
    solve: x => x * x,
    solveAgain: x => Math.abs(x) ** 2,
  },
  {
    name: 'digit-sum',
    words: 'add up its decimal digits (its sign does not count)',
    solve: x => [...String(Math.abs(x))].reduce((sum, digit) => sum + Number(digit), 0),
    solveAgain(x) {
      let [rest, sum] = [Math.abs(x), 0];
      for (; rest > 0; rest = Math.floor(rest / 10)) sum += rest % 10;
      return sum;
    },
  },
]);

export const expansions = defineAtoms({ from: 'number', to: 'numbers' }, [
  {
    name: 'digits',
    words: 'list its decimal digits from left to right (its sign does not count)',
    solve: x => [...String(Math.abs(x))].map(Number),
    solveAgain(x) {
      const digits = [];
      let rest = Math.abs(x);
      do {
        digits.unshift(rest % 10);
        rest = Math.floor(rest / 10);
      } while (rest > 0);
      return digits;
    },
  },
  {
    name: 'binary-digits',
    words: 'list the digits of its absolute value in base 2 from left to right',
    solve: x => [...Math.abs(x).toString(2)].map(Number),
    solveAgain(x) {
      const digits = [];
      let rest = Math.abs(x);
      do {
        digits.unshift(rest % 2);
        rest = Math.floor(rest / 2);
      } while (rest > 0);
      return digits;
    },
  },
]);
