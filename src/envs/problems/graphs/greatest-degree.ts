import { defineProblem, byLevel } from '../problem.ts';
import { graph, neighboursOf, sampleGraph } from '../types/structures.ts';
import { text } from '../types/words.ts';

export const greatestDegree = defineProblem({
  name: 'greatest-degree',
  subject: 'graphs',
  about: 'The node with the most edges.',
  input: graph(),
  output: text({ characters: 'A-Z', longest: 1, of: 'one capital letter', example: 'A' }),
  sample: (random, level) => sampleGraph(random, { nodes: nodes[level], density: 0.25 }),
  wordings: [
    x => `Which node of ${x} has the most edges? Of several, give the first in the alphabet.`,
    x => `Take ${x}. Which node has the greatest degree? If several do, name the one that comes first alphabetically.`,
  ],
  solve(given) {
    const neighbours = neighboursOf(given);
    const degree = (node: string): number => neighbours.get(node)?.length ?? 0;
    return given.nodes.toSorted().reduce((best, node) => (degree(node) > degree(best) ? node : best));
  },
  bruteForce({ nodes: all, edges }) {
    const ends = edges.flatMap(([from, to]) => [from, to]).join('');
    const counts = all.map(node => ends.split(node).length - 1);
    return all.filter((_, index) => counts[index] === Math.max(...counts)).toSorted()[0] as string;
  },
});

const nodes = byLevel(5, 8, 13);
