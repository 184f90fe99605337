import { defineProblem, byLevel } from '../problem.ts';
import { distinct, list, pair, set } from '../types/collections.ts';
import { integer } from '../types/numbers.ts';
import { boolean, text } from '../types/words.ts';

export const knightsAndKnaves = defineProblem({
  name: 'knights-and-knaves',
  subject: 'logic',
  about: 'Who always tells the truth and who always lies.',
  input: list(pair(integer({ low: 0, high: 5 }), boolean), { shortest: 2, longest: 6 }),
  output: set(text({ characters: 'A-F', longest: 1, of: 'one capital letter', example: 'A' })),
  sample(random, level) {
    const count = people[level];
    const truth = Array.from({ length: count }, () => random.chance(0.5));
    return truth.map((isKnight, index) => {
      const about = (index + random.between(1, count - 1)) % count;
      return [about, (truth[about] === true) === isKnight] as const;
    });
  },
  parameters: said => (isSound(said) && models(said).length === 2 ? { first: models(said)[0]?.[0] === true } : null),
  wordings: [
    (x, { first }) => `Knights always tell the truth, knaves always lie. ${told(x, first)} Who are the knights?`,
    (x, { first }) =>
      `On an island everybody is a knight, who only says what is true, or a knave, who only says what is false. ${told(x, first)} Which persons are knights?`,
  ],
  // Follows statements from the first person on: who says "knight" is of the same kind.
  solve(said, { first }) {
    const kinds = new Map([[0, first]]);
    for (let hasGrown = true; hasGrown; ) {
      const before = kinds.size;
      for (const [index, [about, isKnight]] of said.entries()) {
        const [mine, theirs] = [kinds.get(index), kinds.get(about)];
        if (mine !== undefined) kinds.set(about, mine === isKnight);
        else if (theirs !== undefined) kinds.set(index, theirs === isKnight);
      }
      hasGrown = kinds.size > before;
    }
    return distinct([...kinds].filter(([, isKnight]) => isKnight).map(([index]) => letterOf(index)));
  },
  bruteForce(said, { first }) {
    const model = models(said).find(([kind]) => kind === first) ?? [];
    return distinct(model.flatMap((isKnight, index) => (isKnight ? [letterOf(index)] : [])));
  },
});

const people = byLevel(3, 4, 6);
type Said = readonly (readonly [number, boolean])[];

function letterOf(index: number): string {
  return 'ABCDEF'[index] as string;
}

function isSound(said: Said): boolean {
  return said.every(([about], index) => about < said.length && about !== index);
}

function told(said: string, isFirstKnight: boolean): string {
  return `The persons are called A, B, C, …, and each says one thing about another, in this order: ${said}. (0, yes) means "A is a knight", (1, no) means "B is a knave", and so on. It is known that A is a ${isFirstKnight ? 'knight' : 'knave'}.`;
}

/** All ways to be knights and knaves that fit what was said. */
function models(said: Said): boolean[][] {
  return Array.from({ length: 2 ** said.length }, (_, code) =>
    said.map((__, index) => Math.floor(code / 2 ** index) % 2 === 1),
  ).filter(kinds => said.every(([about, isKnight], index) => kinds[index] === (kinds[about] === isKnight)));
}
