import type { Random } from '../../../core/random.ts';
import { defineProblem, byLevel } from '../problem.ts';
import { list } from '../types/collections.ts';
import { integer } from '../types/numbers.ts';
import { text } from '../types/words.ts';

export const stackMachine = defineProblem({
  name: 'stack-machine',
  subject: 'machines',
  about: 'What a stack machine leaves.',
  input: list(text({ characters: '0-9+*d-', longest: 3, of: 'digits, +, -, * and d', example: '12' }), {
    shortest: 1,
    longest: 40,
  }),
  output: integer(),
  sample: (random, level) => program(random, operations[level]),
  parameters: given => (isRunnable(given) ? {} : null),
  wordings: [
    x =>
      `A stack machine runs ${x}. A number is put on the stack. +, - and * take the two upper values and put the result on it; for - the upper one is taken from the lower one. d doubles the entry: it puts a copy of the upper value on the stack. What is the last value?`,
    x =>
      `Evaluate ${x} in reverse Polish notation, where d means "duplicate the top of the stack" and - takes the top from the value below it. What is the result?`,
  ],
  solve(given) {
    const stack: number[] = [];
    for (const word of given) {
      const top = (): number => stack.pop() ?? 0;
      if (word === 'd') stack.push(stack.at(-1) ?? 0);
      else if (/\d/.test(word)) stack.push(Number(word));
      else {
        const [upper, lower] = [top(), top()];
        stack.push(word === '+' ? lower + upper : word === '-' ? lower - upper : lower * upper);
      }
    }
    return (stack.at(-1) ?? 0) + 0;
  },
  // From the end: what a value is made from.
  bruteForce(given) {
    const value = (end: number): readonly [number, number] => {
      const word = given[end] as string;
      if (word === 'd') return [value(end - 1)[0], end - 1];
      if (/\d/.test(word)) return [Number(word), end - 1];
      const [upper, before] = value(end - 1);
      const [lower, rest] = value(before);
      return [word === '+' ? lower + upper : word === '-' ? lower - upper : lower * upper, rest];
    };
    return value(given.length - 1)[0] + 0;
  },
});

const operations = byLevel(2, 4, 7);

function program(random: Random, count: number): string[] {
  if (count === 0) return [String(random.between(1, 9))];
  if (random.chance(0.2)) return [...program(random, count - 1), 'd', random.pick(['+', '*'])];
  const left = random.between(0, count - 1);
  return [...program(random, left), ...program(random, count - 1 - left), random.pick(['+', '-', '*'])];
}

/** Whether it never takes from an empty stack, leaves one value, and stays small. */
function isRunnable(given: readonly string[]): boolean {
  let height = 0;
  for (const word of given) {
    if (!/^(?:\d{1,3}|[+*d-])$/.test(word)) return false;
    if (word === 'd' ? height < 1 : !/\d/.test(word) && height < 2) return false;
    height += /[\dd]/.test(word) ? 1 : -1;
  }
  return height === 1 && given.filter(word => word === '*').length < 5;
}
