import { defineProblem, byLevel } from '../problem.ts';
import { inAnyOrder, list, pair } from '../types/collections.ts';
import { integer } from '../types/numbers.ts';
import { text } from '../types/words.ts';

export const tableTotal = defineProblem({
  name: 'table-total',
  subject: 'collections',
  about: 'The total of one name in a table.',
  input: list(pair(text({ longest: 12 }), integer({ low: 0, high: 100_000 })), { shortest: 1, longest: 40 }),
  output: integer({ low: 0, high: 4_000_000 }),
  canonical: inAnyOrder,
  sample: (random, level) =>
    Array.from({ length: rows[level] }, () => [random.pick(names), random.between(1, 60)] as const),
  parameters: (table, random) => ({ name: random.pick(table)[0] }),
  wordings: [
    (x, { name }) => `The rows of a table are ${x}: a name and an amount. What is the sum of the amounts of ${name}?`,
    (x, { name }) => `Add the second values of all rows of ${x} whose first value is ${name}. What is the total?`,
  ],
  solve: (table, { name }) => table.reduce((sum, [key, amount]) => (key === name ? sum + amount : sum), 0),
  bruteForce(table, { name }) {
    const totals: Record<string, number> = {};
    for (const [key, amount] of table) totals[key] = (totals[key] ?? 0) + amount;
    return totals[name] ?? 0;
  },
});

const rows = byLevel(4, 8, 16);
const names = ['ann', 'bob', 'cleo', 'dan'];
