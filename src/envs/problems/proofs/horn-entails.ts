import type { Random } from '../../../core/random.ts';
import { defineProblem, byLevel } from '../problem.ts';
import { distinct, list, pair, set, type SetOf } from '../types/collections.ts';
import { boolean, text } from '../types/words.ts';

export const hornEntails = defineProblem({
  name: 'horn-entails',
  subject: 'proofs',
  about: 'Whether a statement follows from rules.',
  input: list(pair(set(letter()), letter()), { shortest: 1, longest: 30 }),
  output: boolean,
  sample: (random, level) => rules(random, count[level]),
  parameters: (_, random, level) => ({
    facts: random.sample(names[level], 2),
    goal: random.pick(names[level].slice(2)),
  }),
  wordings: [
    (x, { facts, goal }) =>
      `Each pair of ${x} is a rule: if everything in the set holds, the letter after it holds. ${facts.join(' and ')} hold. Does it follow that ${goal} holds?`,
    (x, { facts, goal }) =>
      `Given the facts ${facts.join(' and ')} and the rules ${x} ({a, b}, c means: from a and b follows c), can ${goal} be derived?`,
  ],
  // Forwards from the facts.
  solve(given, { facts, goal }) {
    const known = new Set(facts);
    for (let before = -1; before !== known.size; ) {
      before = known.size;
      for (const [conditions, result] of given)
        if (conditions.every(condition => known.has(condition))) known.add(result);
    }
    return known.has(goal);
  },
  // Backwards from the goal.
  bruteForce(given, { facts, goal }) {
    const proves = (wanted: string, open: readonly string[]): boolean =>
      facts.includes(wanted) ||
      (!open.includes(wanted) &&
        given.some(
          ([conditions, result]) =>
            result === wanted && conditions.every(condition => proves(condition, [...open, wanted])),
        ));
    return proves(goal, []);
  },
});

const count = byLevel(4, 6, 9);
const names = byLevel([...'abcde'], [...'abcdef'], [...'abcdefgh']);

function letter() {
  return text({ characters: 'a-h', longest: 1, of: 'one small letter', example: 'a' });
}

function rules(random: Random, many: number): (readonly [SetOf<string>, string])[] {
  return Array.from({ length: many }, () => {
    const letters = random.sample([...'abcdefgh'].slice(0, Math.min(8, many + 1)), random.between(2, 3));
    return [distinct(letters.slice(1)), letters[0] as string] as const;
  });
}
