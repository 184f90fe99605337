import type { EpisodeRecord } from '../../core/episode/record.ts';
import type { Verdict } from '../../core/records.ts';
import type { TreeNode } from '../../core/tree.ts';
import type { RowRequest } from '../requests/requests.ts';
import { columns, type Row, type Table } from '../rows/columns.ts';
import type { ExportedEpisode } from '../rows/exporter.ts';
import { provenanceColumns, provenanceOf } from '../rows/provenance.ts';

export const nextActions: Table = {
  name: 'next-actions',
  columns: [
    ...columns({ messages: 'messages', tools: 'string', request: 'string', action: 'string', applied: 'boolean' }),
    ...provenanceColumns,
  ],
};

/** Every step on the way to the archived leaves of one episode, whoever took it; a step that leaves share comes once. */
export function* nextActionRows(episode: ArchivedEpisode): Iterable<Row> {
  for (const { request, ...step } of archivedSteps(episode)) {
    yield { messages: [...request.messages, request.answer(step.node.id)], ...stepColumns({ request, ...step }) };
  }
}

export interface ArchivedStep {
  readonly record: EpisodeRecord;
  readonly node: TreeNode;
  readonly verdict: Verdict | null;
  readonly request: RowRequest;
}

export type ArchivedEpisode = Pick<ExportedEpisode, 'archived' | 'requests' | 'masked'>;

export function* archivedSteps({ archived, requests, masked }: ArchivedEpisode): Iterable<ArchivedStep> {
  const written = new Set(masked);
  for (const { record, path, verdict } of archived) {
    for (const node of path) {
      if (written.has(node.id)) continue;
      written.add(node.id);
      const request = requests.of(record, node.id);
      if (request !== null) yield { record, node, verdict, request };
    }
  }
}

/** What a row of a step has beside its chat. */
export function stepColumns({ record, node, verdict, request }: ArchivedStep): Row {
  return {
    tools: request.tools,
    request: request.source,
    action: JSON.stringify(node.action),
    applied: node.outcome.applied,
    ...provenanceOf(record, node, verdict),
  };
}
