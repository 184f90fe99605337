import { columns } from '../rows/columns.ts';
import { provenanceColumns, provenanceOf } from '../rows/provenance.ts';
import { taughtColumns, taughtStep } from '../rows/taught-step.ts';
import type { Exporter } from '../rows/exporter.ts';
import { alternativesTo, bestSteps, createScreenAfter, verdictsBelow, verifiedPaths } from './verified-paths.ts';

/**
 * Early Experience, reflection: the best action of a state, beside what other actions did there. An action that is right
 * in any exported episode is no alternative: nothing is better than it.
 */
export const reflections: Exporter = {
  name: 'reflections',
  about: 'Early Experience: the best action, and what wrong actions that were tried in its state led to.',
  episodes: 'training',
  pictured: false,
  isOptional: true,
  columns: [
    ...columns({
      ...taughtColumns,
      /** Digest of the state that the right action led to. */
      next_digest: 'string',
      /** One object each: action, next_digest, next_screen, applied, and how many leaves below passed and failed. */
      alternatives: 'messages',
    }),
    ...provenanceColumns,
  ],
  *rows({ record, requests, isRight }) {
    const paths = verifiedPaths(record);
    const below = verdictsBelow(paths);
    const screenAfter = createScreenAfter(record);
    for (const { node, shortest } of bestSteps(record, paths)) {
      const others = alternativesTo(record, node).filter(({ id }) => !isRight(id));
      const request = requests.of(record, node.id);
      if (others.length === 0 || request === null) continue;
      yield {
        ...taughtStep(request, node),
        next_digest: node.after,
        alternatives: others.map(other => ({
          node: other.id,
          action: JSON.stringify(other.action),
          next_digest: other.after,
          next_screen: screenAfter(other),
          applied: other.outcome.applied,
          passed: (below.get(other.id) ?? []).filter(pass => pass).length,
          failed: (below.get(other.id) ?? []).filter(pass => !pass).length,
        })),
        ...provenanceOf(record, node, shortest.verdict),
      };
    }
  },
};
