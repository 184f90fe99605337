import type { Random } from '../../../core/random.ts';
import { defineProblem, byLevel } from '../problem.ts';
import { boolean, text } from '../types/words.ts';

export const balancedBrackets = defineProblem({
  name: 'balanced-brackets',
  subject: 'strings',
  about: 'Whether brackets are closed in the right order.',
  input: text({ characters: '()[\\]', longest: 60, of: 'round and square brackets', example: '([])' }),
  output: boolean,
  sample(random, level) {
    const whole = balanced(random, pairs[level]);
    if (random.chance(0.5)) return whole;
    const at = random.between(0, whole.length - 1);
    return whole.slice(0, at) + random.pick([...'()[]'].filter(bracket => bracket !== whole[at])) + whole.slice(at + 1);
  },
  wordings: [
    x => `Are the brackets in ${x} balanced: is each one closed by one of its own kind, in the right order?`,
    x => `Is ${x} a correctly nested sequence of round and square brackets?`,
  ],
  solve(brackets) {
    const open: string[] = [];
    for (const bracket of brackets) {
      if (bracket === '(' || bracket === '[') open.push(bracket === '(' ? ')' : ']');
      else if (open.pop() !== bracket) return false;
    }
    return open.length === 0;
  },
  // Strikes pairs that stand side by side.
  bruteForce(brackets) {
    let [before, now] = ['', brackets];
    while (now !== before) [before, now] = [now, now.replace('()', '').replace('[]', '')];
    return now === '';
  },
});

const pairs = byLevel(3, 5, 10);

function balanced(random: Random, count: number): string {
  if (count === 0) return '';
  const inside = random.between(0, count - 1);
  const [open, close] = random.pick(['()', '[]']);
  return `${open}${balanced(random, inside)}${close}${balanced(random, count - 1 - inside)}`;
}
