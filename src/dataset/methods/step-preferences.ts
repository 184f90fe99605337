import { columns } from '../rows/columns.ts';
import { provenanceColumns, provenanceOf } from '../rows/provenance.ts';
import type { Exporter } from '../rows/exporter.ts';
import { alternativesTo, verdictsBelow, verifiedPaths } from './verified-paths.ts';

/**
 * Two actions in the same state, told apart by how they ended: the chosen one leads to a leaf that passed, and every
 * verified leaf below the rejected one failed. A rejected action that is right in any exported episode makes no pair.
 */
export const stepPreferences: Exporter = {
  name: 'step-preferences',
  about: 'Outcome-filtered step preferences: an action that led to a pass against one that only led to failures.',
  episodes: 'training',
  pictured: false,
  isOptional: true,
  columns: [
    ...columns({
      prompt: 'messages',
      chosen: 'messages',
      rejected: 'messages',
      tools: 'string',
      request: 'string',
      rejected_node: 'int',
      /** Verified leaves below the rejected action: all of them failed. */
      rejected_leaves: 'int',
    }),
    ...provenanceColumns,
  ],
  *rows({ record, requests, isRight }) {
    const paths = verifiedPaths(record);
    const below = verdictsBelow(paths);
    const written = new Set<number>();
    for (const { path, verdict } of paths.filter(found => found.verdict.pass))
      for (const chosen of path) {
        if (written.has(chosen.id)) continue;
        written.add(chosen.id);
        const request = requests.of(record, chosen.id);
        if (request === null) continue;
        for (const rejected of alternativesTo(record, chosen)) {
          const leaves = below.get(rejected.id) ?? [];
          if (leaves.length === 0 || leaves.includes(true) || isRight(rejected.id)) continue;
          yield {
            prompt: request.messages,
            chosen: [request.answer(chosen.id)],
            rejected: [request.answer(rejected.id)],
            tools: request.tools,
            request: request.source,
            rejected_node: rejected.id,
            rejected_leaves: leaves.length,
            ...provenanceOf(record, chosen, verdict),
          };
        }
      }
  },
};
