import { outsideOf } from '../../core/episode/certificate.ts';
import type { StoredEpisode } from '../../core/episode/journal.ts';
import { columns, type Row, type Table } from './columns.ts';
import type { ExportedEpisode } from './exporter.ts';

/** Whether a certificate says where the elements of its path are. */
export function hasPlaces({ certificates }: Pick<StoredEpisode, 'certificates'>): boolean {
  return certificates.some(certificate => 'outside' in certificate);
}

/** The table with what somebody needs who takes the steps in a browser of their own: in an export that knows it of any. */
export function withPlaces(table: Table): Table {
  return { ...table, columns: [...table.columns, ...columns({ locator: 'string?', conditions: 'string?' })] };
}

/** Rows of archived steps with where the element of each is, and what the page was given; null where nobody noted it. */
export function* placedRows(rows: Iterable<Row>, { archived }: Pick<ExportedEpisode, 'archived'>): Iterable<Row> {
  const places = new Map<number, Row>();
  for (const { record, leaf, path } of archived) {
    const outside = outsideOf(record, leaf);
    const conditions = outside === null ? null : JSON.stringify(outside.conditions);
    for (const [index, { id }] of path.entries())
      if (!places.has(id)) places.set(id, { locator: outside?.locators[index] ?? null, conditions });
  }
  for (const row of rows) yield { ...row, ...(places.get(row['node'] as number) as Row) };
}
