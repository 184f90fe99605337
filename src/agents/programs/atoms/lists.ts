import type { Data } from '../value.ts';
import { atom, type Atom } from './atom.ts';
import { bounded, greatestDivisor, isPrime, leastMultiple, rangeTo } from './numbers.ts';

type Numbers = readonly number[];
type Lists = readonly Numbers[];
type Row = readonly [string, number];

const sumOf = (values: Numbers): number => values.reduce((sum, value) => sum + value, 0);
const productOf = (values: Numbers): number | undefined =>
  bounded(values.reduce((product, value) => product * value, 1));
const ascending = (values: Numbers): number[] => values.toSorted((a, b) => a - b);
const some = (values: Numbers, run: () => number): number | undefined => (values.length === 0 ? undefined : run());

function median(values: Numbers): number | undefined {
  const sorted = ascending(values);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  return upper === undefined || lower === undefined ? undefined : (upper + lower) / 2;
}

/** The most frequent number; the smallest of several. */
function mode(values: Numbers): number | undefined {
  const counts = new Map<number, number>();
  for (const value of ascending(values)) counts.set(value, (counts.get(value) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return [...counts].find(([, times]) => times === most)?.[0];
}

const sets: readonly [string, (one: Numbers, other: Numbers) => number[]][] = [
  ['union', (one, other) => [...new Set([...one, ...other])]],
  ['intersection', (one, other) => one.filter(value => other.includes(value))],
  ['difference', (one, other) => one.filter(value => !other.includes(value))],
  ['distances', (one, other) => one.map((value, index) => value - (other[index] ?? 0))],
];

const perList: readonly [string, (values: Numbers) => number | undefined][] = [
  ['sum', sumOf],
  ['product', productOf],
  ['first', ([first]) => first],
  ['second', values => values[1]],
  ['last', values => values.at(-1)],
  ['greatest', values => some(values, () => Math.max(...values))],
  ['smallest', values => some(values, () => Math.min(...values))],
  ['length', values => values.length],
];

/** Total amount of each name. */
function totals(rows: readonly Row[]): Row[] {
  const groups = Map.groupBy(rows, ([name]) => name);
  return [...groups].map(([name, members]) => [name, sumOf(members.map(([, amount]) => amount))]);
}

/** The name of the row with the greatest amount; the first in the alphabet of several. */
function topRow(rows: readonly Row[]): string | undefined {
  return rows.toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))[0]?.[0];
}

function item(values: readonly Data[], place: Data): Data | undefined {
  return values[Number(place) - 1];
}

export const listAtoms: readonly Atom[] = [
  ...perList.map(([name, run]) => atom<Numbers>(name, ['numbers'], a => run(a as Numbers))),
  atom<Numbers>('mean', ['numbers'], a => some(a as Numbers, () => sumOf(a as Numbers) / (a as Numbers).length)),
  atom<Numbers>('median', ['numbers'], a => median(a as Numbers)),
  atom<Numbers>('mode', ['numbers'], a => mode(a as Numbers)),
  atom<Numbers>('greatest divisor', ['numbers'], a => greatestDivisor(a as Numbers)),
  atom<Numbers>('least multiple', ['numbers'], a => leastMultiple(a as Numbers)),
  atom<Numbers>('sort', ['numbers'], a => ascending(a as Numbers)),
  atom<Numbers>('sort down', ['numbers'], a => ascending(a as Numbers).toReversed()),
  atom<Numbers>('reverse', ['numbers'], a => (a as Numbers).toReversed()),
  atom<Numbers>('distinct', ['numbers'], a => [...new Set(a as Numbers)]),
  atom<Numbers>('squares', ['numbers'], a => (a as Numbers).map(value => value ** 2)),
  atom<Numbers>('absolute', ['numbers'], a => (a as Numbers).map(Math.abs)),
  atom<Numbers>('keep primes', ['numbers'], a => (a as Numbers).filter(isPrime)),
  atom<Numbers>('between', ['numbers'], ([a, b, ...more] = []) =>
    more.length === 0 ? rangeTo(Math.min(a ?? 0, b ?? 0), Math.max(a ?? 0, b ?? 0)) : undefined,
  ),
  atom<Numbers>('steps', ['numbers'], a =>
    (a as Numbers).slice(1).map((value, index) => value - ((a as Numbers)[index] ?? 0)),
  ),
  atom<Numbers>('quotient and remainder', ['numbers'], ([a = 0, b = 0] = []) =>
    b > 0 ? [Math.floor(a / b), a % b] : undefined,
  ),
  atom('keep divisors of', ['numbers', 'number'], (a, b) => (a as Numbers).filter(value => Number(b) % value === 0)),
  atom('keep coprime to', ['numbers', 'number'], (a, b) =>
    (a as Numbers).filter(value => greatestDivisor([value, Number(b)]) === 1),
  ),
  atom('count equal', ['numbers', 'number'], (a, b) => (a as Numbers).filter(value => value === b).length),
  atom('item', ['numbers', 'number'], (a, b) => item(a as Numbers, b as number)),
  atom('item', ['texts', 'number'], (a, b) => item(a as readonly string[], b as number)),
  atom('take away from', ['numbers', 'number'], (a, b) => Number(b) - sumOf(a as Numbers)),
  ...sets.map(([name, run]) =>
    atom<Lists>(name, ['lists'], a => (a?.length === 2 ? run(a[0] as Numbers, a[1] as Numbers) : undefined)),
  ),
  ...perList.map(([name, run]) =>
    atom<Lists>(`each ${name}`, ['lists'], a => {
      const found = (a as Lists).map(run);
      return found.includes(undefined) ? undefined : (found as number[]);
    }),
  ),
  atom<Lists>('length', ['lists'], a => (a as Lists).length),
  atom<Lists>('first', ['lists'], a => a?.[0]),
  atom<Lists>('each step', ['lists'], a => (a as Lists).map(([from = 0, to = 0]) => to - from)),
  atom<Lists>('sort', ['lists'], a => (a as Lists).toSorted(([x = 0, y = 0], [z = 0, w = 0]) => x - z || y - w)),
  atom('second values', ['rows'], a => (a as unknown as readonly Row[]).map(([, amount]) => amount)),
  atom('totals', ['rows'], a => totals(a as unknown as readonly Row[])),
  atom('name of greatest', ['rows'], a => topRow(a as unknown as readonly Row[])),
  atom('rows of', ['rows', 'text'], (a, b) => (a as readonly Data[]).filter(row => (row as readonly Data[])[0] === b)),
  atom('first', ['mixed'], a => (a as readonly Data[])[0]),
  atom('second', ['mixed'], a => (a as readonly Data[])[1]),
];
