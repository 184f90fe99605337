import { defineProblem, byLevel } from '../problem.ts';
import { list, pair } from '../types/collections.ts';
import { text } from '../types/words.ts';

export const modusPonens = defineProblem({
  name: 'modus-ponens',
  subject: 'proofs',
  about: 'A proof by modus ponens, which a checker verifies step by step.',
  input: list(pair(letter(), letter()), { shortest: 1, longest: 40 }),
  output: list(letter(), { shortest: 1, longest: 20 }),
  sample(random, level) {
    const chain = random.sample([...'abcdefghijklmnop'], length[level]);
    const links = chain.slice(1).map((to, index) => [chain[index] as string, to] as const);
    const noise = Array.from({ length: length[level] }, () => random.sample([...'abcdefghijklmnop'], 2)).map(
      ([from = '', to = '']) => [from, to] as const,
    );
    return random.shuffle([...links, ...noise]);
  },
  parameters(given, random) {
    const fact = random.pick(given)[0];
    const reached = [...derivations(given, fact).keys()].filter(name => name !== fact);
    const far = reached.filter(name => (derivations(given, fact).get(name)?.length ?? 0) > 1);
    return far.length === 0 ? null : { fact, goal: random.pick(far) };
  },
  wordings: [
    (x, { fact, goal }) =>
      `Each pair of ${x} says that the second letter follows from the first. ${fact} holds. Prove ${goal}: list the letters that you derive, in order, each from ${fact} or from one that you derived before. The last one is ${goal}.`,
    (x, { fact, goal }) =>
      `From the premise ${fact} and the implications ${x} (first implies second), derive ${goal} by modus ponens. Give the list of what you derive step by step, without ${fact}, ending with ${goal}.`,
  ],
  solve: (given, { fact, goal }) => derivations(given, fact).get(goal) ?? [],
  // Depth first.
  bruteForce(given, { fact, goal }) {
    const way = (from: string, seen: readonly string[]): string[] | null => {
      if (from === goal) return [];
      for (const [one, other] of given) {
        const rest = one === from && !seen.includes(other) ? way(other, [...seen, other]) : null;
        if (rest !== null) return [other, ...rest];
      }
      return null;
    };
    return way(fact, [fact]) ?? [];
  },
  // The kernel: every line must follow from the premise or an earlier line.
  check: (proof, given, { fact, goal }) =>
    proof.at(-1) === goal &&
    proof.every((line, index) =>
      given.some(([from, to]) => to === line && (from === fact || proof.slice(0, index).includes(from))),
    ),
});

const length = byLevel(4, 6, 9);

function letter() {
  return text({ characters: 'a-p', longest: 1, of: 'one small letter', example: 'a' });
}

/** The shortest derivation of everything that follows from a fact. */
function derivations(given: readonly (readonly [string, string])[], fact: string): ReadonlyMap<string, string[]> {
  const found = new Map<string, string[]>([[fact, []]]);
  for (const [name, way] of found)
    for (const [from, to] of given) if (from === name && !found.has(to)) found.set(to, [...way, to]);
  return found;
}
