import { defineProblem, byLevel } from '../problem.ts';
import { integer } from '../types/numbers.ts';
import { graph, neighboursOf, sampleGraph } from '../types/structures.ts';

export const countComponents = defineProblem({
  name: 'count-components',
  subject: 'graphs',
  about: 'Into how many parts a graph falls.',
  input: graph(),
  output: integer({ low: 1, high: 26 }),
  sample: (random, level) => sampleGraph(random, { nodes: nodes[level], density: 1.1 / nodes[level], isLoose: true }),
  wordings: [
    x => `How many connected components does ${x} have?`,
    x =>
      `Take ${x}. Into how many parts without edges between them does it fall? A node without edges is a part of its own.`,
  ],
  // Joins the parts at both ends of each edge.
  solve({ nodes: all, edges }) {
    const head = new Map(all.map(node => [node, node]));
    const find = (node: string): string => (head.get(node) === node ? node : find(head.get(node) as string));
    for (const [one, other] of edges) head.set(find(one), find(other));
    return all.filter(node => find(node) === node).length;
  },
  bruteForce(given) {
    const neighbours = neighboursOf(given);
    const seen = new Set<string>();
    const visit = (node: string): void => {
      seen.add(node);
      for (const [next] of neighbours.get(node) ?? []) if (!seen.has(next)) visit(next);
    };
    let count = 0;
    for (const node of given.nodes) {
      if (seen.has(node)) continue;
      count++;
      visit(node);
    }
    return count;
  },
});

const nodes = byLevel(6, 10, 18);
