import { count } from '../../core/text.ts';
import type { EpisodeRecord } from '../../core/episode/record.ts';
import type { TreeNode } from '../../core/tree.ts';
import { columns } from '../export/columns.ts';
import { provenanceColumns, provenanceOf } from '../export/provenance.ts';
import type { Exporter } from '../exporter.ts';
import { alternativesTo, verdictsBelow, verifiedPaths, type VerifiedPath } from './verified-paths.ts';

/** Steps of a branch that a trace tells before it goes on to the result. */
const toldSteps = 3;

/**
 * Dyna-Mind: reasoning over what really happened. Where several actions were tried in a state, the trace tells each with
 * the steps that followed and how it ended, and then the one that is right.
 */
export const searchTraces: Exporter = {
  name: 'search-traces',
  about: 'Dyna-Mind: reasoning written from real branches, with what each action led to and the one to take.',
  episodes: 'training',
  pictured: false,
  isOptional: true,
  columns: [
    ...columns({
      messages: 'messages',
      tools: 'string',
      request: 'string',
      trace: 'string',
      action: 'string',
      /** The steps that the trace tells: the first of each branch. */
      branches: 'ints',
    }),
    ...provenanceColumns,
  ],
  *rows({ record, requests }) {
    const paths = verifiedPaths(record);
    const below = verdictsBelow(paths);
    const written = new Set<number>();
    for (const { path, verdict } of paths.filter(found => found.verdict.pass))
      for (const node of path) {
        const others = alternativesTo(record, node).filter(({ id }) => below.has(id));
        const request = requests.of(record, node.id);
        if (written.has(node.id) || others.length === 0 || request === null) continue;
        written.add(node.id);
        const branches = [...others, node].toSorted((left, right) => left.id - right.id);
        yield {
          messages: [...request.messages, request.answer(node.id)],
          tools: request.tools,
          request: request.source,
          trace: traceOf(record, paths, { branches, chosen: node }),
          action: JSON.stringify(node.action),
          branches: branches.map(({ id }) => id),
          ...provenanceOf(record, node, verdict),
        };
      }
  },
};

interface Choice {
  readonly branches: readonly TreeNode[];
  readonly chosen: TreeNode;
}

function traceOf(record: EpisodeRecord, paths: readonly VerifiedPath[], { branches, chosen }: Choice): string {
  const told = branches.map(({ id }, place) => {
    const leaf = paths.find(
      ({ path, verdict }) => path.some(step => step.id === id) && (id !== chosen.id || verdict.pass),
    );
    const after = leaf?.path.slice(leaf.path.findIndex(step => step.id === id) + 1) ?? [];
    const shown = after.slice(0, toldSteps).map(step => record.text(step.id));
    const more = after.length > shown.length ? [`${count(after.length - shown.length, 'more step')}`] : [];
    const then = [...shown, ...more].join('; then ');
    const result = leaf?.verdict.pass === true ? 'The task is done.' : 'The task fails.';
    return `Option ${place + 1}: ${record.text(id)}.${then === '' ? '' : ` Then: ${then}.`} ${result}`;
  });
  return [...told, `Best: option ${branches.indexOf(chosen) + 1}, ${record.text(chosen.id)}.`].join('\n');
}
