import { defineProblem, byLevel } from '../problem.ts';
import { inAnyOrder, list, pair } from '../types/collections.ts';
import { integer } from '../types/numbers.ts';
import { text } from '../types/words.ts';

export const tableTop = defineProblem({
  name: 'table-top',
  subject: 'collections',
  about: 'The name with the greatest total in a table.',
  input: list(pair(text({ longest: 12 }), integer({ low: 0, high: 100_000 })), { shortest: 1, longest: 40 }),
  output: text({ longest: 12, example: 'ann' }),
  canonical: inAnyOrder,
  sample: (random, level) =>
    Array.from({ length: rows[level] }, () => [random.pick(names), random.between(1, 60)] as const),
  wordings: [
    x =>
      `The rows of a table are ${x}: a name and an amount. Which name has the greatest sum of amounts? Of several, give the first in the alphabet.`,
    x =>
      `Group the rows of ${x} by their first value and add the second values. Which group has the greatest total? Of equal ones, take the first in alphabetical order.`,
  ],
  solve(table) {
    const totals = new Map<string, number>();
    for (const [name, amount] of table) totals.set(name, (totals.get(name) ?? 0) + amount);
    const [[best = ''] = []] = [...totals].toSorted(([one, a], [other, b]) => b - a || (one < other ? -1 : 1));
    return best;
  },
  bruteForce(table) {
    const total = (wanted: string): number =>
      table.filter(([name]) => name === wanted).reduce((sum, [, amount]) => sum + amount, 0);
    return table
      .map(([name]) => name)
      .toSorted()
      .reduce((best, name) => (total(name) > total(best) ? name : best));
  },
});

const rows = byLevel(4, 8, 16);
const names = ['ann', 'bob', 'cleo', 'dan', 'eve'];
