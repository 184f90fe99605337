import { defineProblem, byLevel } from '../problem.ts';
import { graph, neighboursOf, sampleGraph } from '../types/structures.ts';
import { boolean } from '../types/words.ts';

export const isBipartite = defineProblem({
  name: 'is-bipartite',
  subject: 'graphs',
  about: 'Whether the nodes of a graph can have two colours.',
  input: graph(),
  output: boolean,
  sample(random, level) {
    const given = sampleGraph(random, { nodes: nodes[level], density: 0.3 });
    if (random.chance(0.4)) return given;
    const isLeft = new Map(given.nodes.map(node => [node, random.chance(0.5)]));
    return { ...given, edges: given.edges.filter(([from, to]) => isLeft.get(from) !== isLeft.get(to)) };
  },
  wordings: [
    x => `Can the nodes of ${x} be coloured with two colours so that each edge joins two colours?`,
    x => `Is ${x} bipartite?`,
  ],
  solve(given) {
    const neighbours = neighboursOf(given);
    const colours = new Map<string, boolean>();
    const paint = (node: string, colour: boolean): boolean => {
      const known = colours.get(node);
      if (known !== undefined) return known === colour;
      colours.set(node, colour);
      return (neighbours.get(node) ?? []).every(([next]) => paint(next, !colour));
    };
    return given.nodes.every(node => colours.has(node) || paint(node, true));
  },
  bruteForce({ nodes: all, edges }) {
    for (let colours = 0; colours < 2 ** all.length; colours++) {
      const colour = (node: string): number => Math.floor(colours / 2 ** all.indexOf(node)) % 2;
      if (edges.every(([from, to]) => colour(from) !== colour(to))) return true;
    }
    return false;
  },
  bruteForceUpTo: 'medium',
});

const nodes = byLevel(5, 7, 11);
