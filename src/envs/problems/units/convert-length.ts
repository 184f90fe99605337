import { defineProblem, byLevel } from '../problem.ts';
import { over, ratio, times, type Rational } from '../types/fraction.ts';
import { integer, rational } from '../types/numbers.ts';

export const convertLength = defineProblem({
  name: 'convert-length',
  subject: 'units',
  about: 'A length in another unit.',
  input: integer({ low: 1, high: 10 ** 6 }),
  output: rational(),
  sample: (random, level) => random.between(2, largest[level]),
  parameters(_, random) {
    const [from = 'm', to = 'km'] = random.sample([...metres.keys()], 2);
    return { from, to };
  },
  wordings: [
    (x, { from, to }) => `How many ${to} are ${x} ${from}? Give the exact number without the unit.`,
    (x, { from, to }) => `Convert ${x} ${from} to ${to}. Answer with the exact number alone.`,
  ],
  solve: (length, { from, to }) => ratio(length * (metres.get(from) ?? 1), metres.get(to) ?? 1),
  // Through micrometres, one unit after the other.
  bruteForce(length, { from, to }) {
    const order = ['mm', 'cm', 'dm', 'm', 'km'];
    const factors = [10, 10, 10, 1000];
    let value: Rational = length;
    for (let at = order.indexOf(from); at < order.indexOf(to); at++) value = over(value, factors[at] ?? 1);
    for (let at = order.indexOf(from); at > order.indexOf(to); at--) value = times(value, factors[at - 1] ?? 1);
    return value;
  },
});

const largest = byLevel(20, 300, 9999);
const metres: ReadonlyMap<string, number> = new Map([
  ['mm', 1],
  ['cm', 10],
  ['dm', 100],
  ['m', 1000],
  ['km', 1_000_000],
]);
