import { defineProblem, byLevel } from '../problem.ts';
import { integer } from '../types/numbers.ts';
import { graph, neighboursOf, sampleGraph, type Graph } from '../types/structures.ts';

export const countBridges = defineProblem({
  name: 'count-bridges',
  subject: 'graphs',
  about: 'How many edges a graph cannot lose without falling apart.',
  input: graph(),
  output: integer({ low: 0, high: 100 }),
  sample: (random, level) => sampleGraph(random, { nodes: nodes[level], density: 0.12 }),
  wordings: [
    x => `How many edges of ${x} are bridges: without one of them the graph has more connected parts than before?`,
    x =>
      `Take ${x}. How many of its edges are such that removing that one edge alone disconnects two nodes that were connected?`,
  ],
  // Lowest depth that can be reached without the edge itself.
  solve(given) {
    const neighbours = neighboursOf(given);
    const [depth, low] = [new Map<string, number>(), new Map<string, number>()];
    let bridges = 0;
    const visit = (node: string, parent: string, level: number): void => {
      depth.set(node, level);
      let lowest = level;
      for (const [next] of neighbours.get(node) ?? []) {
        if (next === parent) continue;
        if (!depth.has(next)) {
          visit(next, node, level + 1);
          if ((low.get(next) ?? 0) > level) bridges++;
        }
        lowest = Math.min(lowest, low.get(next) ?? depth.get(next) ?? level);
      }
      low.set(node, lowest);
    };
    for (const node of given.nodes) if (!depth.has(node)) visit(node, '', 0);
    return bridges;
  },
  bruteForce(given) {
    const isApart = (edges: Graph['edges'], from: string, to: string): boolean => {
      const neighbours = neighboursOf({ ...given, edges });
      const seen = new Set([from]);
      for (const node of seen) for (const [next] of neighbours.get(node) ?? []) seen.add(next);
      return !seen.has(to);
    };
    return given.edges.filter(edge =>
      isApart(
        given.edges.filter(other => other !== edge),
        edge[0],
        edge[1],
      ),
    ).length;
  },
});

const nodes = byLevel(5, 8, 13);
