import type { Random } from '../../../core/random.ts';
import { defineProblem, byLevel } from '../problem.ts';
import { integer } from '../types/numbers.ts';
import { text } from '../types/words.ts';

export const evaluateExpression = defineProblem({
  name: 'evaluate-expression',
  subject: 'arithmetic',
  about: 'The value of an expression with +, -, * and parentheses.',
  input: text({ characters: '0-9+*()-', longest: 200, of: 'digits, +, -, * and parentheses', example: '2*(3+4)' }),
  output: integer(),
  sample: (random, level) => expression(random, depth[level]),
  parameters: given => (isExpression.test(given) ? {} : null),
  wordings: [
    x => `What is the value of ${x}?`,
    x => `Calculate ${x}. Multiplication comes before addition and subtraction.`,
  ],
  // Recursive descent.
  solve(given) {
    let at = 0;
    const factor = (): number => {
      if (given[at] === '(') {
        at++;
        const value = sum();
        at++;
        return value;
      }
      const [digits = ''] = /^\d+/.exec(given.slice(at)) ?? [];
      at += digits.length;
      return Number(digits);
    };
    const product = (): number => {
      let value = factor();
      for (; given[at] === '*'; value *= factor()) at++;
      return value;
    };
    const sum = (): number => {
      let value = product();
      while (given[at] === '+' || given[at] === '-') value += given[at++] === '+' ? product() : -product();
      return value;
    };
    return sum() + 0;
  },
  // Replaces what can be worked out by its value, again and again. A number below 0 is marked by ~.
  bruteForce(given) {
    const value = (number: string): number => Number(number.replace('~', '-'));
    const written = (number: number): string => String(number + 0).replace('-', '~');
    let [before, now] = ['', given];
    while (now !== before) {
      before = now;
      now = now.replace(/\((~?\d+)\)/, '$1');
      if (now !== before) continue;
      now = now.replace(/(~?\d+)\*(~?\d+)/, (_, one: string, other: string) => written(value(one) * value(other)));
      if (now !== before) continue;
      now = now.replace(
        /(^|\()(~?\d+)([+-])(~?\d+)(?![*\d])/,
        (...[, start = '', one = '', sign = '', other = '']: string[]) =>
          start + written(sign === '+' ? value(one) + value(other) : value(one) - value(other)),
      );
    }
    return value(now);
  },
});

const depth = byLevel(1, 2, 3);
const isExpression = /^[(\d]/;

function expression(random: Random, deep: number): string {
  if (deep === 0) return String(random.between(1, 12));
  const sides = [expression(random, deep - 1), expression(random, deep - 1)];
  const sign = random.pick(['+', '-', '*']);
  const inner = sides.map(side => (/[+*-]/.test(side) && (sign !== '+' || random.chance(0.5)) ? `(${side})` : side));
  return inner.join(sign);
}
