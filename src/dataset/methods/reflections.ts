import { columns } from '../export/columns.ts';
import { provenanceColumns, provenanceOf } from '../export/provenance.ts';
import type { Exporter } from '../exporter.ts';
import { alternativesTo, createScreenAfter, verdictsBelow, verifiedPaths } from './verified-paths.ts';

/** Early Experience, reflection: an action that led to a pass, beside what other actions did in the same state. */
export const reflections: Exporter = {
  name: 'reflections',
  about: 'Early Experience: the right action, and what the other actions that were tried in its state led to.',
  episodes: 'training',
  pictured: false,
  isOptional: true,
  columns: [
    ...columns({
      messages: 'messages',
      tools: 'string',
      request: 'string',
      action: 'string',
      /** Digest of the state that the right action led to. */
      next_digest: 'string',
      /** One object each: action, next_digest, next_screen, applied, and how many leaves below passed and failed. */
      alternatives: 'messages',
    }),
    ...provenanceColumns,
  ],
  *rows({ record, requests }) {
    const paths = verifiedPaths(record);
    const below = verdictsBelow(paths);
    const screenAfter = createScreenAfter(record);
    const written = new Set<number>();
    for (const { path, verdict } of paths.filter(found => found.verdict.pass))
      for (const node of path) {
        const others = alternativesTo(record, node);
        const request = requests.of(record, node.id);
        if (written.has(node.id) || others.length === 0 || request === null) continue;
        written.add(node.id);
        yield {
          messages: [...request.messages, request.answer(node.id)],
          tools: request.tools,
          request: request.source,
          action: JSON.stringify(node.action),
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
          ...provenanceOf(record, node, verdict),
        };
      }
  },
};
