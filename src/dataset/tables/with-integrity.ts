import { integrityScore, type IntegrityOf } from '../../analysis/integrity.ts';
import { columns, type Row } from '../rows/columns.ts';
import type { Exporter } from '../rows/exporter.ts';

const added = columns({
  /** Share of what was tried against the verifier of the task that held; null where nothing was. */
  integrity: 'float?',
  /** Each thing that was tried. */
  integrity_parts: 'object?',
});

/** The same table, with the integrity of its task in every row. */
export function withIntegrity(table: Exporter, integrityOf: IntegrityOf): Exporter {
  return {
    ...table,
    columns: [...table.columns, ...added],
    *rows(episode) {
      const { task } = episode.record.head;
      const { environment, template } = task;
      // What lacks a certificate gives no rows; what was recorded outside of our worlds has none.
      const isCertified = episode.record.end.certification !== 'none';
      const parts = integrityOf({ environment, template, isCertified });
      const own: Row = { integrity: parts === null ? null : integrityScore(parts), integrity_parts: parts };
      for (const row of table.rows(episode)) yield { ...row, ...own };
    },
  };
}
