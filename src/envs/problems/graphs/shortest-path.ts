import { defineProblem, byLevel } from '../problem.ts';
import { integer } from '../types/numbers.ts';
import { graph, neighboursOf, sampleGraph, type Graph } from '../types/structures.ts';

export const shortestPath = defineProblem({
  name: 'shortest-path',
  subject: 'graphs',
  about: 'The length of the shortest path between two nodes.',
  input: graph({ isWeighted: true }),
  output: integer({ low: 1, high: 1000 }),
  sample: (random, level) => sampleGraph(random, { nodes: nodes[level], density: 0.25, weight: 9 }),
  parameters(given, random) {
    const [from = '', to = ''] = random.sample(given.nodes, 2);
    return to === '' || distances(given, from).get(to) === undefined ? null : { from, to };
  },
  wordings: [
    (x, { from, to }) =>
      `Take ${x}. The number behind an edge is its length. How long is the shortest path from ${from} to ${to}?`,
    (x, { from, to }) =>
      `In ${x}, where the numbers are the lengths of the edges, what is the least total length of a way from ${from} to ${to}?`,
  ],
  solve: (given, { from, to }) => distances(given, from).get(to) ?? 0,
  // Bellman and Ford: shorten along edges until nothing changes.
  bruteForce({ nodes: all, edges }, { from, to }) {
    const best = new Map([[from, 0]]);
    for (let round = 0; round < all.length; round++) {
      for (const [one, other, weight] of edges) {
        for (const [a, b] of [[one, other] as const, [other, one] as const]) {
          const through = (best.get(a) ?? Number.POSITIVE_INFINITY) + weight;
          if (through < (best.get(b) ?? Number.POSITIVE_INFINITY)) best.set(b, through);
        }
      }
    }
    return best.get(to) ?? 0;
  },
});

const nodes = byLevel(5, 7, 11);

/** Dijkstra. */
function distances(given: Graph, from: string): ReadonlyMap<string, number> {
  const neighbours = neighboursOf(given);
  const [open, done] = [new Map([[from, 0]]), new Map<string, number>()];
  while (open.size > 0) {
    const [node, length] = [...open].reduce((best, other) => (other[1] < best[1] ? other : best));
    open.delete(node);
    done.set(node, length);
    for (const [next, weight] of neighbours.get(node) ?? [])
      if (!done.has(next) && length + weight < (open.get(next) ?? Number.POSITIVE_INFINITY))
        open.set(next, length + weight);
  }
  return done;
}
