import type { Random } from '../../../core/random.ts';
import { defineProblem, byLevel } from '../problem.ts';
import { boolean, text } from '../types/words.ts';

export const truthValue = defineProblem({
  name: 'truth-value',
  subject: 'logic',
  about: 'Whether a formula of logic is true.',
  input: text({ characters: 'TF()&|~>', longest: 200, of: 'T, F, &, |, ~, > and parentheses', example: '(T&F)' }),
  output: boolean,
  sample: (random, level) => formula(random, depth[level]),
  wordings: [
    x => `T is true, F is false, & is and, | is or, ~ is not, > is "if … then". Is ${x} true?`,
    x =>
      `Evaluate ${x}, where T means true, F false, & and, | or, ~ not, and (a>b) is false only when a is true and b is false. Is it true?`,
  ],
  // Recursive descent: each formula is T, F, ~formula or (formula sign formula).
  solve(given) {
    let at = 0;
    const value = (): boolean => {
      const sign = given[at++];
      if (sign === 'T' || sign === 'F') return sign === 'T';
      if (sign === '~') return !value();
      const left = value();
      const operator = given[at++];
      const right = value();
      at++;
      return operator === '&' ? left && right : operator === '|' ? left || right : !left || right;
    };
    return value();
  },
  // Rewrites the innermost parts until one letter is left.
  bruteForce(given) {
    let now = given;
    while (now.length > 1) {
      now = now
        .replaceAll('~T', 'F')
        .replaceAll('~F', 'T')
        .replaceAll(/\((?:T&T|T\|[TF]|F\|T|F>[TF]|T>T)\)/g, 'T')
        .replaceAll(/\((?:[TF]&F|F&T|F\|F|T>F)\)/g, 'F');
    }
    return now === 'T';
  },
});

const depth = byLevel(2, 3, 5);

function formula(random: Random, deep: number): string {
  if (deep === 0) return random.pick(['T', 'F', '~T', '~F']);
  const [left, right] = [formula(random, deep - 1), formula(random, random.between(0, deep - 1))];
  return `${random.pick(['', '', '~'])}(${left}${random.pick(['&', '|', '>'])}${right})`;
}
