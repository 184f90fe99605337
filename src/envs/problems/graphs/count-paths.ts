import { defineProblem, byLevel } from '../problem.ts';
import { integer } from '../types/numbers.ts';
import { graph, neighboursOf, sampleGraph } from '../types/structures.ts';

export const countPaths = defineProblem({
  name: 'count-paths',
  subject: 'graphs',
  about: 'How many ways lead from one node to another without circles.',
  input: graph({ isDirected: true }),
  output: integer({ low: 0, high: 100_000 }),
  sample: (random, level) =>
    sampleGraph(random, { nodes: nodes[level], density: density[level], isDirected: true, isAcyclic: true }),
  parameters: ({ nodes: all, edges }) =>
    all.length > 1 && edges.every(([from, to]) => from < to)
      ? { from: all[0] as string, to: all.at(-1) as string }
      : null,
  wordings: [
    (x, { from, to }) => `Take ${x}. How many different paths along the arrows lead from ${from} to ${to}?`,
    (x, { from, to }) => `In how many ways can one go from ${from} to ${to} in ${x}, following the arrows?`,
  ],
  solve({ nodes: all, edges }, { from, to }) {
    const ways = new Map([[from, 1]]);
    for (const node of all.toSorted())
      for (const [start, end] of edges)
        if (start === node) ways.set(end, (ways.get(end) ?? 0) + (ways.get(start) ?? 0));
    return ways.get(to) ?? 0;
  },
  bruteForce(given, { from, to }) {
    const neighbours = neighboursOf(given);
    const ways = (node: string): number =>
      node === to ? 1 : (neighbours.get(node) ?? []).reduce((sum, [next]) => sum + ways(next), 0);
    return ways(from);
  },
});

const nodes = byLevel(5, 7, 10);
const density = byLevel(0.4, 0.4, 0.4);
