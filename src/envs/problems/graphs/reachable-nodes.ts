import { defineProblem, byLevel } from '../problem.ts';
import { distinct, set } from '../types/collections.ts';
import { graph, neighboursOf, sampleGraph } from '../types/structures.ts';
import { text } from '../types/words.ts';

export const reachableNodes = defineProblem({
  name: 'reachable-nodes',
  subject: 'graphs',
  about: 'The nodes that can be reached along the arrows of a graph.',
  input: graph({ isDirected: true }),
  output: set(text({ characters: 'A-Z', longest: 1, of: 'one capital letter', example: 'A' })),
  sample: (random, level) =>
    sampleGraph(random, { nodes: nodes[level], density: density[level], isDirected: true, isLoose: true }),
  parameters: (given, random) => ({ from: random.pick(given.nodes) }),
  wordings: [
    (x, { from }) => `Take ${x}. Which nodes can be reached from ${from} along the arrows, ${from} itself included?`,
    (x, { from }) =>
      `In ${x}, start at ${from} and follow edges in their direction. List all nodes that you can come to, the start included.`,
  ],
  solve(given, { from }) {
    const neighbours = neighboursOf(given);
    const seen = new Set([from]);
    for (const node of seen) for (const [next] of neighbours.get(node) ?? []) seen.add(next);
    return distinct(seen);
  },
  bruteForce({ nodes: all, edges }, { from }) {
    let known = all.map(node => node === from);
    for (let round = 0; round < all.length; round++)
      known = all.map(
        (node, index) =>
          known[index] === true || edges.some(([one, other]) => other === node && known[all.indexOf(one)] === true),
      );
    return distinct(all.filter((_, index) => known[index] === true));
  },
});

const nodes = byLevel(5, 8, 13);
const density = byLevel(0.2, 0.12, 0.08);
