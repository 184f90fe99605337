import { defineProblem, byLevel } from '../problem.ts';
import { graph, neighboursOf, sampleGraph } from '../types/structures.ts';
import { boolean } from '../types/words.ts';

export const hasCycle = defineProblem({
  name: 'has-cycle',
  subject: 'graphs',
  about: 'Whether a directed graph has a circle.',
  input: graph({ isDirected: true }),
  output: boolean,
  sample(random, level) {
    const given = sampleGraph(random, { nodes: nodes[level], density: 0.12, isDirected: true, isAcyclic: true });
    const [from = 'A', to = 'B'] = random.sample(given.nodes, 2).toSorted();
    return random.chance(0.4) ? given : { ...given, edges: random.shuffle([...given.edges, [to, from, 1] as const]) };
  },
  wordings: [
    x => `Is there a way in ${x} that follows the arrows and comes back to where it began?`,
    x => `Does ${x} contain a directed cycle?`,
  ],
  // Takes away nodes that no edge leads to.
  solve({ nodes: all, edges }) {
    let [left, rest] = [[...all], [...edges]];
    for (let free = left; free.length > 0; ) {
      free = left.filter(node => !rest.some(([, to]) => to === node));
      left = left.filter(node => !free.includes(node));
      rest = rest.filter(([from]) => !free.includes(from));
    }
    return left.length > 0;
  },
  bruteForce(given) {
    const neighbours = neighboursOf(given);
    const comesBack = (start: string): boolean => {
      const seen = new Set((neighbours.get(start) ?? []).map(([next]) => next));
      for (const node of seen) for (const [next] of neighbours.get(node) ?? []) seen.add(next);
      return seen.has(start);
    };
    return given.nodes.some(comesBack);
  },
});

const nodes = byLevel(5, 8, 12);
