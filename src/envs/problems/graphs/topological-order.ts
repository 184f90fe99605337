import { defineProblem, byLevel } from '../problem.ts';
import { list } from '../types/collections.ts';
import { graph, sampleGraph, type Graph } from '../types/structures.ts';
import { text } from '../types/words.ts';

export const topologicalOrder = defineProblem({
  name: 'topological-order',
  subject: 'graphs',
  about: 'The first order in the alphabet that respects all arrows.',
  input: graph({ isDirected: true }),
  output: list(text({ characters: 'A-Z', longest: 1, of: 'one capital letter', example: 'A' }), {
    shortest: 1,
    longest: 26,
  }),
  sample(random, level) {
    const given = sampleGraph(random, { nodes: nodes[level], density: 0.2, isDirected: true, isAcyclic: true });
    const names = random.shuffle(given.nodes);
    const renamed = (node: string): string => names[given.nodes.indexOf(node)] as string;
    return { ...given, edges: given.edges.map(([from, to, weight]) => [renamed(from), renamed(to), weight] as const) };
  },
  parameters: given => (ordered(given).length === given.nodes.length ? {} : null),
  wordings: [
    x =>
      `Take ${x}. Order its nodes so that each arrow leads from an earlier to a later node. Whenever several nodes can come next, take the first in the alphabet.`,
    x =>
      `List the nodes of ${x} in topological order. Where there is a choice, the node that comes first in the alphabet goes first.`,
  ],
  solve: ordered,
  bruteForce(given) {
    const placed: string[] = [];
    while (placed.length < given.nodes.length) {
      const free = given.nodes.filter(
        node => !placed.includes(node) && given.edges.every(([from, to]) => to !== node || placed.includes(from)),
      );
      placed.push(free.toSorted()[0] as string);
    }
    return placed;
  },
});

const nodes = byLevel(4, 6, 10);

/** Shorter than the nodes when there is a circle. */
function ordered({ nodes: all, edges }: Graph): string[] {
  const before = new Map(all.map(node => [node, edges.filter(([, to]) => to === node).length]));
  const order: string[] = [];
  for (;;) {
    const next = [...before]
      .filter(([, count]) => count === 0)
      .map(([node]) => node)
      .toSorted()[0];
    if (next === undefined) return order;
    order.push(next);
    before.delete(next);
    for (const [from, to] of edges) if (from === next) before.set(to, (before.get(to) ?? 1) - 1);
  }
}
