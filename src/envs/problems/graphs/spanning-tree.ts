import { defineProblem, byLevel } from '../problem.ts';
import { integer } from '../types/numbers.ts';
import { graph, neighboursOf, sampleGraph, type Graph } from '../types/structures.ts';

export const spanningTree = defineProblem({
  name: 'spanning-tree',
  subject: 'graphs',
  about: 'The weight of a minimum spanning tree.',
  input: graph({ isWeighted: true }),
  output: integer({ low: 1, high: 500 }),
  sample: (random, level) => sampleGraph(random, { nodes: nodes[level], density: 0.35, weight: 9 }),
  parameters: given => (isConnected(given) ? {} : null),
  wordings: [
    x =>
      `Take ${x}. Keep edges so that all nodes stay connected and the sum of the numbers behind the kept edges is as small as possible. What is the sum?`,
    x => `What is the total weight of a minimum spanning tree of ${x}?`,
  ],
  // Kruskal.
  solve({ nodes: all, edges }) {
    const part = new Map(all.map((node, index) => [node, index]));
    let sum = 0;
    for (const [from, to, weight] of edges.toSorted(([, , one], [, , other]) => one - other)) {
      const [mine, theirs] = [part.get(from), part.get(to)];
      if (mine === theirs) continue;
      sum += weight;
      for (const node of all) if (part.get(node) === theirs) part.set(node, mine ?? 0);
    }
    return sum;
  },
  // Takes away the heaviest edge that is not needed.
  bruteForce(given) {
    let edges = given.edges.toSorted(([, , one], [, , other]) => other - one);
    for (const edge of edges) {
      const fewer = edges.filter(other => other !== edge);
      if (isConnected({ ...given, edges: fewer })) edges = fewer;
    }
    return edges.reduce((sum, [, , weight]) => sum + weight, 0);
  },
});

const nodes = byLevel(4, 6, 9);

function isConnected(given: Graph): boolean {
  const neighbours = neighboursOf(given);
  const seen = new Set(given.nodes.slice(0, 1));
  for (const node of seen) for (const [next] of neighbours.get(node) ?? []) seen.add(next);
  return seen.size === given.nodes.length && given.nodes.length > 1;
}
