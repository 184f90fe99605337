import { columns } from '../rows/columns.ts';
import { provenanceColumns, provenanceOf } from '../rows/provenance.ts';
import { isProven, provenVerdict } from '../rows/proven.ts';
import type { Exporter } from '../rows/exporter.ts';
import { comesFromHint, withoutHint } from '../requests/hints.ts';
import { createScreenAfter, stepsOf } from './verified-paths.ts';

/** Early Experience, world model: what an action did to the screen, for every step that was ever tried. */
export const worldModel: Exporter = {
  name: 'world-model',
  about: 'Early Experience: screen and action, and the screen that followed; of every step, rolled back ones too.',
  episodes: 'training',
  pictured: false,
  isOptional: true,
  columns: [
    ...columns({
      instruction: 'string',
      screen: 'string',
      action: 'string',
      /** Why the step was taken; null where nothing was said, and where it speaks of a hint. */
      thought: 'string?',
      applied: 'boolean',
      /** Null where no step was taken in the state that followed: nobody looked at it. */
      next_screen: 'string?',
      next_digest: 'string',
      /** What a tool returned, or why the step was refused. */
      result: 'string?',
    }),
    ...provenanceColumns,
  ],
  *rows({ record }) {
    const screenAfter = createScreenAfter(record);
    if (record.end.outcome === 'errored') return;
    for (const node of stepsOf(record)) {
      if (!isProven(record, node.id) || comesFromHint(record, node.id)) continue;
      const { applied, problem, result } = node.outcome;
      yield {
        instruction: record.head.task.instruction,
        screen: record.screen(node.id),
        action: JSON.stringify(node.action),
        thought: withoutHint(record, node).thought ?? null,
        applied,
        next_screen: screenAfter(node),
        next_digest: node.after,
        result: problem?.message ?? (result === undefined ? null : JSON.stringify(result)),
        ...provenanceOf(record, node, provenVerdict(record)),
      };
    }
  },
};
