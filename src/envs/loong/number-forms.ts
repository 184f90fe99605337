import { plus, ratio, type Rational } from '../problems/types/fraction.ts';
import { integer, rational } from '../problems/types/numbers.ts';
import { at, defineForm, inAnyOrder } from './triple.ts';

const count = integer({ low: 0, high: 1_000_000_000 });

export const presentValue = defineForm<{ rate: number; payments: number[] }>({
  name: 'present-value',
  domain: 'finance',
  output: rational(),
  draw: (random, level) => ({
    rate: random.pick([5, 10, 20, 25]),
    payments: Array.from({ length: at(level, [2, 3, 4]) }, () => random.between(1, 60) * 10),
  }),
  question: ({ rate, payments }) =>
    `A project pays ${payments.join(', ')} dollars at the end of year 1, 2 and so on. What are these payments worth today at ${rate} % interest a year, compounded each year? Give the exact number of dollars: a fraction, or a decimal that is exact.`,
  program: `from fractions import Fraction
factor = Fraction(100, 100 + data['rate'])
worth = Fraction(0)
for payment in reversed(data['payments']):
    worth = (worth + payment) * factor
print(worth)`,
  solve: ({ rate, payments }) =>
    payments.reduce<Rational>(
      (sum, payment, year) =>
        plus(sum, ratio(BigInt(payment) * 100n ** BigInt(year + 1), BigInt(100 + rate) ** BigInt(year + 1))),
      0,
    ),
});

export const knapsack = defineForm<{ items: [number, number][]; capacity: number }>({
  name: 'knapsack',
  domain: 'optimisation',
  output: count,
  draw(random, level) {
    const items = Array.from({ length: at(level, [4, 7, 11]) }, (): [number, number] => [
      random.between(2, 15),
      random.between(1, 40),
    ]);
    const weight = items.reduce((sum, [one]) => sum + one, 0);
    return { items, capacity: Math.max(15, Math.floor(weight * 0.45)) };
  },
  canonical: ({ items, capacity }) => [inAnyOrder(items), capacity],
  question: ({ items, capacity }) =>
    `These items have a weight and a value: ${items.map(([weight, value]) => `(${weight}, ${value})`).join(', ')}. Each can be taken once or left. What is the greatest total value of items whose weights sum to at most ${capacity}?`,
  program: `best = 0
items = data['items']
for chosen in range(2 ** len(items)):
    taken = [item for place, item in enumerate(items) if chosen >> place & 1]
    if sum(weight for weight, _ in taken) <= data['capacity']:
        best = max(best, sum(value for _, value in taken))
print(best)`,
  solve({ items, capacity }) {
    const best = Array.from({ length: capacity + 1 }, () => 0);
    for (const [weight, value] of items)
      for (let room = capacity; room >= weight; room--)
        best[room] = Math.max(best[room] as number, (best[room - weight] as number) + value);
    return best[capacity] as number;
  },
});

export const shortestRoute = defineForm<{ towns: number; roads: [number, number, number][] }>({
  name: 'shortest-route',
  domain: 'graphs',
  output: count,
  draw(random, level) {
    const towns = at(level, [4, 7, 10]);
    const road = (from: number, to: number): [number, number, number] => [from, to, random.between(1, 30)];
    const chain = Array.from({ length: towns - 1 }, (_, town) => road(town, town + 1));
    const others = Array.from({ length: towns }, () =>
      random.sample(Array.from({ length: towns }).keys().toArray(), 2),
    );
    return { towns, roads: [...chain, ...others.map(([from, to]) => road(from as number, to as number))] };
  },
  canonical: ({ roads }) =>
    inAnyOrder(roads.map(([from, to, length]) => [Math.min(from, to), Math.max(from, to), length])),
  question: ({ towns, roads }) =>
    `Roads join ${towns} towns, numbered from 0: ${roads.map(([from, to, length]) => `${from} to ${to} (${length} km)`).join(', ')}. Every road goes both ways. How many kilometres has the shortest way from town 0 to town ${towns - 1}?`,
  program: `n = data['towns']
far = [[0 if a == b else 10 ** 9 for b in range(n)] for a in range(n)]
for a, b, length in data['roads']:
    far[a][b] = far[b][a] = min(far[a][b], length)
for middle in range(n):
    for a in range(n):
        for b in range(n):
            far[a][b] = min(far[a][b], far[a][middle] + far[middle][b])
print(far[0][n - 1])`,
  solve({ towns, roads }) {
    const far = Array.from({ length: towns }, (_, town) => (town === 0 ? 0 : Infinity));
    for (let round = 1; round < towns; round++)
      for (const [from, to, length] of roads) {
        far[to] = Math.min(far[to] as number, (far[from] as number) + length);
        far[from] = Math.min(far[from] as number, (far[to] as number) + length);
      }
    return far[towns - 1] as number;
  },
});
