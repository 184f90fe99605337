import { defineProblem, byLevel } from '../problem.ts';
import { integer } from '../types/numbers.ts';
import { graph, neighboursOf, sampleGraph } from '../types/structures.ts';

export const countTriangles = defineProblem({
  name: 'count-triangles',
  subject: 'graphs',
  about: 'How many triangles a graph has.',
  input: graph(),
  output: integer({ low: 0, high: 3000 }),
  sample: (random, level) => sampleGraph(random, { nodes: nodes[level], density: 0.4 }),
  wordings: [
    x => `How many sets of three nodes of ${x} are all joined to each other?`,
    x => `Count the triangles in ${x}: three nodes with an edge between each two of them.`,
  ],
  solve({ nodes: all, edges }) {
    const joined = new Set(edges.flatMap(([from, to]) => [from + to, to + from]));
    let count = 0;
    for (const [index, one] of all.entries())
      for (const [offset, other] of all.slice(index + 1).entries())
        if (joined.has(one + other))
          count += all
            .slice(index + offset + 2)
            .filter(third => joined.has(one + third) && joined.has(other + third)).length;
    return count;
  },
  // Each triangle is counted at each of its edges.
  bruteForce(given) {
    const neighbours = neighboursOf(given);
    const names = (node: string): string[] => (neighbours.get(node) ?? []).map(([next]) => next);
    return (
      given.edges.reduce((sum, [from, to]) => sum + names(from).filter(node => names(to).includes(node)).length, 0) / 3
    );
  },
});

const nodes = byLevel(5, 7, 10);
