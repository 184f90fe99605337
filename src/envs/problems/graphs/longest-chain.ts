import { defineProblem, byLevel } from '../problem.ts';
import { integer } from '../types/numbers.ts';
import { graph, neighboursOf, sampleGraph } from '../types/structures.ts';

export const longestChain = defineProblem({
  name: 'longest-chain',
  subject: 'graphs',
  about: 'The length of the longest path in a graph without circles.',
  input: graph({ isDirected: true, isWeighted: true }),
  output: integer({ low: 0, high: 500 }),
  sample: (random, level) =>
    sampleGraph(random, { nodes: nodes[level], density: 0.25, weight: 9, isDirected: true, isAcyclic: true }),
  parameters: ({ edges }) => (edges.every(([from, to]) => from < to) ? {} : null),
  wordings: [
    x => `Take ${x}. The number behind an edge is its length. How long is the longest path along the arrows?`,
    x =>
      `The edges of ${x} are tasks with their duration; a task starts when those before it are done. What is the greatest total along one path?`,
  ],
  solve({ nodes: all, edges }) {
    const longest = new Map(all.map(node => [node, 0]));
    for (const node of all.toSorted()) {
      for (const [from, to, weight] of edges)
        if (from === node) longest.set(to, Math.max(longest.get(to) ?? 0, (longest.get(from) ?? 0) + weight));
    }
    return Math.max(...longest.values());
  },
  bruteForce(given) {
    const neighbours = neighboursOf(given);
    const from = (node: string): number =>
      Math.max(0, ...(neighbours.get(node) ?? []).map(([next, weight]) => weight + from(next)));
    return Math.max(...given.nodes.map(from));
  },
});

const nodes = byLevel(5, 7, 10);
