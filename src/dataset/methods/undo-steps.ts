import { columns } from '../rows/columns.ts';
import { provenanceColumns, provenanceOf } from '../rows/provenance.ts';
import { taughtColumns, taughtStep } from '../rows/taught-step.ts';
import { isProven, provenVerdict } from '../rows/proven.ts';
import type { Exporter } from '../rows/exporter.ts';
import { stepsOf } from './verified-paths.ts';

/**
 * GUI-Reflection: a step that was wrong, and the next step, which led back to the state before it. Wrong is a step that a
 * teacher rejected, or one that is right in no exported episode.
 */
export const undoSteps: Exporter = {
  name: 'undo-steps',
  about: 'GUI-Reflection: steps that undo a mistake, each with the mistake that it undoes.',
  episodes: 'training',
  pictured: false,
  isOptional: true,
  columns: [
    ...columns({
      ...taughtColumns,
      mistake: 'string',
      mistake_node: 'int',
      /** The state before the mistake, and after the step that undid it. */
      restored_digest: 'string',
    }),
    ...provenanceColumns,
  ],
  *rows({ record, requests, isRight }) {
    if (record.end.outcome === 'errored') return;
    const rejected = new Set(record.reviews.filter(({ accept }) => !accept).map(({ at }) => at));
    for (const undo of stepsOf(record)) {
      if (undo.parent === 0 || !undo.outcome.applied || !isProven(record, undo.id)) continue;
      const mistake = record.tree.node(undo.parent);
      const isUndone = mistake.before === undo.after && mistake.after !== mistake.before;
      if (!isUndone || (!rejected.has(mistake.id) && isRight(mistake.id))) continue;
      const request = requests.of(record, undo.id);
      if (request === null) continue;
      yield {
        ...taughtStep(request, undo),
        mistake: JSON.stringify(mistake.action),
        mistake_node: mistake.id,
        restored_digest: undo.after,
        ...provenanceOf(record, undo, provenVerdict(record)),
      };
    }
  },
};
