import type { Candidate } from '../candidate.ts';
import { answerOf, promptOf } from './chat.ts';
import { columns, type Row, type Table } from './columns.ts';
import { provenanceColumns, provenanceOf } from './provenance.ts';

export const nextActions: Table = {
  name: 'next-actions',
  columns: [...columns({ messages: 'messages', tools: 'string', applied: 'boolean' }), ...provenanceColumns],
};

/** Every step on the way to the archived leaves of one episode, whoever took it; a step that leaves share comes once. */
export function* nextActionRows(archived: readonly Candidate[], tools: string): Iterable<Row> {
  const written = new Set<number>();
  for (const { record, path, verdict } of archived) {
    for (const node of path) {
      if (written.has(node.id)) continue;
      written.add(node.id);
      yield {
        messages: [...promptOf(record, node.id), answerOf(node.action, node.thought)],
        tools,
        applied: node.outcome.applied,
        ...provenanceOf(record, node, verdict),
      };
    }
  }
}
