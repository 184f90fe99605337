import type { Candidate } from '../rows/candidate.ts';
import type { Requests } from '../requests/requests.ts';
import { columns, type Row, type Table } from '../rows/columns.ts';
import { provenanceColumns, provenanceOf } from '../rows/provenance.ts';

export const nextActions: Table = {
  name: 'next-actions',
  columns: [
    ...columns({ messages: 'messages', tools: 'string', request: 'string', action: 'string', applied: 'boolean' }),
    ...provenanceColumns,
  ],
};

/** Every step on the way to the archived leaves of one episode, whoever took it; a step that leaves share comes once. */
export function* nextActionRows(archived: readonly Candidate[], requests: Requests): Iterable<Row> {
  const written = new Set<number>();
  for (const { record, path, verdict } of archived) {
    for (const node of path) {
      if (written.has(node.id)) continue;
      written.add(node.id);
      const request = requests.of(record, node.id);
      if (request === null) continue;
      yield {
        messages: [...request.messages, request.answer(node.id)],
        tools: request.tools,
        request: request.source,
        action: JSON.stringify(node.action),
        applied: node.outcome.applied,
        ...provenanceOf(record, node, verdict),
      };
    }
  }
}
