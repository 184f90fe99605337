import type { EpisodeRecord } from '../../core/episode/record.ts';
import type { Requests } from '../requests/requests.ts';
import { columns, type Row, type Table } from '../rows/columns.ts';
import { provenanceColumns, provenanceOf } from '../rows/provenance.ts';
import { taughtColumns, taughtStep } from '../rows/taught-step.ts';
import { isProven, provenVerdict, standingCorrections } from '../rows/proven.ts';

export const corrections: Table = {
  name: 'corrections',
  // Not `rejected`: a trainer that finds a column of that name takes the row for a preference.
  columns: [
    ...columns({
      ...taughtColumns,
      replaced: 'string?',
      reason: 'string',
    }),
    ...provenanceColumns,
  ],
};

/** What the teacher did instead, as the answer to what the student was asked, in a state that is proven; the verdict is that on the episode, passed or not. */
export function* correctionRows(record: EpisodeRecord, requests: Requests): Iterable<Row> {
  for (const { node: id, replaces, reason } of standingCorrections(record)) {
    if (!isProven(record, id)) continue;
    const request = requests.of(record, id);
    if (request === null) continue;
    const node = record.tree.node(id);
    yield {
      ...taughtStep(request, node),
      replaced: replaces === null ? null : JSON.stringify(record.tree.node(replaces).action),
      reason,
      ...provenanceOf(record, node, provenVerdict(record)),
    };
  }
}
