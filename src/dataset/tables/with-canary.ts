import { canaryOf } from '../../core/records.ts';
import { columns } from '../rows/columns.ts';
import type { Exporter } from '../rows/exporter.ts';

const added = columns({
  /** Of the release that the task is of: nobody should train on a row that has one. */
  canary: 'string?',
});

/** The same table, with the canary of its task in every row. */
export function withCanary(table: Exporter): Exporter {
  return {
    ...table,
    columns: [...table.columns, ...added],
    *rows(episode) {
      const canary = canaryOf(episode.record.head.task);
      for (const row of table.rows(episode)) yield { ...row, canary };
    },
  };
}
