import { defineProblem, byLevel } from '../problem.ts';
import { inAnyOrder, list, pair } from '../types/collections.ts';
import { text } from '../types/words.ts';

export const orderPuzzle = defineProblem({
  name: 'order-puzzle',
  subject: 'logic',
  about: 'The order of some people, from clues.',
  input: list(
    pair(
      text({ characters: 'A-H', longest: 1, of: 'one capital letter', example: 'A' }),
      text({ characters: 'A-H', longest: 1, of: 'one capital letter', example: 'A' }),
    ),
    { shortest: 1, longest: 28 },
  ),
  output: list(text({ characters: 'A-H', longest: 1, of: 'one capital letter', example: 'A' }), {
    shortest: 2,
    longest: 8,
  }),
  canonical: inAnyOrder,
  sample(random, level) {
    const order = random.shuffle([...'ABCDEFGH'].slice(0, people[level]));
    const needed = order.slice(1).map((name, index) => [order[index] as string, name] as const);
    const extra = Array.from({ length: 2 }, () =>
      random.sample(order, 2).toSorted((one, other) => order.indexOf(one) - order.indexOf(other)),
    );
    const clues = random.shuffle([...needed, ...extra.map(([one = '', other = '']) => [one, other] as const)]);
    return clues.filter(
      ([one, other], index) => clues.findIndex(clue => clue[0] === one && clue[1] === other) === index,
    );
  },
  parameters: clues => (orders(clues).length === 1 ? {} : null),
  wordings: [
    x =>
      `Some people stand in a row. Each clue names one who stands somewhere before another: ${x}. In which order do they stand, from first to last?`,
    x =>
      `In each pair of ${x} the first one is older than the second one. List all of them from the oldest to the youngest.`,
  ],
  // Whoever stands before more people stands further in front.
  solve(clues) {
    const names = namesIn(clues);
    const after = (name: string): Set<string> => {
      const seen = new Set<string>([name]);
      for (const one of seen) for (const [before, later] of clues) if (before === one) seen.add(later);
      return seen;
    };
    return names.toSorted((one, other) => after(other).size - after(one).size);
  },
  bruteForce: clues => orders(clues)[0] ?? [],
});

const people = byLevel(4, 5, 7);

function namesIn(clues: readonly (readonly [string, string])[]): string[] {
  return [...new Set(clues.flat())].toSorted();
}

/** The orders that fit all clues, two at most. */
function orders(clues: readonly (readonly [string, string])[]): string[][] {
  const names = namesIn(clues);
  const found: string[][] = [];
  const place = (row: readonly string[]): void => {
    if (found.length > 1) return;
    if (row.length === names.length) found.push([...row]);
    for (const name of names) {
      const isNext = !row.includes(name) && clues.every(([before, later]) => later !== name || row.includes(before));
      if (isNext) place([...row, name]);
    }
  };
  place([]);
  return found;
}
