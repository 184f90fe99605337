import type { EpisodeRecord } from '../../core/episode/record.ts';
import { answerOf, promptOf } from './chat.ts';
import { columns, type Row, type Table } from './columns.ts';
import { provenanceColumns, provenanceOf } from './provenance.ts';
import { isProven, provenVerdict } from './proven.ts';

export const corrections: Table = {
  name: 'corrections',
  // Not `rejected`: a trainer that finds a column of that name takes the row for a preference.
  columns: [
    ...columns({ messages: 'messages', tools: 'string', replaced: 'string?', reason: 'string' }),
    ...provenanceColumns,
  ],
};

/**
 * The corrections that may be learned from: none of an episode that broke, none that another one replaced, and no finish
 * that the verifier did not pass.
 */
export function standingCorrections({ corrections: all, end, tree }: EpisodeRecord): EpisodeRecord['corrections'] {
  if (end.outcome === 'errored') return [];
  const replaced = new Set(all.map(({ replaces }) => replaces));
  const stood = (node: number): boolean => {
    const { outcome } = tree.node(node);
    const isRefusedFinish = outcome.end === 'terminated' && !(end.outcome === 'passed' && end.leaf === node);
    return outcome.applied && !isRefusedFinish;
  };
  return all.filter(({ node }) => !replaced.has(node) && stood(node));
}

/** What the teacher did instead, in a state that is proven; the verdict is that on the episode, passed or not. */
export function* correctionRows(record: EpisodeRecord, tools: string): Iterable<Row> {
  for (const { node: id, replaces, reason } of standingCorrections(record)) {
    if (!isProven(record, id)) continue;
    const node = record.tree.node(id);
    yield {
      messages: [...promptOf(record, id), answerOf(node.action, node.thought)],
      tools,
      replaced: replaces === null ? null : JSON.stringify(record.tree.node(replaces).action),
      reason,
      ...provenanceOf(record, node, provenVerdict(record)),
    };
  }
}
