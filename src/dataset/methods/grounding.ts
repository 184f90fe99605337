import { readScreen } from '../../core/episode/screen-text.ts';
import { comesFromHint } from '../requests/hints.ts';
import { columns } from '../rows/columns.ts';
import type { Exporter } from '../rows/exporter.ts';
import { provenanceColumns, provenanceOf } from '../rows/provenance.ts';
import { verifiedPaths } from './verified-paths.ts';

/** Grounding and screen parsing (GUI-360): what a step that passed speaks of, among everything that can be used on its screen. */
export const grounding: Exporter = {
  name: 'grounding',
  about:
    'GUI-360: what a step speaks of, the element that it means and where it is, and all that can be used on the screen.',
  episodes: 'training',
  pictured: false,
  isOptional: true,
  columns: [
    ...columns({
      instruction: 'string',
      screen: 'string',
      /** The step in words, without the number of its element. */
      target: 'string',
      ref: 'string',
      role: 'string',
      name: 'string',
      /** In pixels of the picture that the step was taken on; null where the screen is not drawn. */
      box: 'object?',
      /** Every element that can be used: number, role, name, value. */
      elements: 'messages',
    }),
    ...provenanceColumns,
  ],
  *rows({ record, masked }) {
    const seen = new Set<number>();
    for (const { path, verdict } of verifiedPaths(record).filter(found => found.verdict.pass))
      for (const node of path) {
        const { action } = node;
        if (!('ref' in action) || !node.outcome.applied || seen.has(node.id)) continue;
        if (masked.has(node.id) || comesFromHint(record, node.id)) continue;
        seen.add(node.id);
        const screen = record.screen(node.id);
        const elements = readScreen(screen).flatMap(({ ref, role, name, value }) =>
          ref === null ? [] : [{ ref, role, name, value }],
        );
        const meant = elements.find(({ ref }) => ref === action.ref);
        if (meant === undefined) continue;
        yield {
          instruction: record.head.task.instruction,
          screen,
          target: record.text(node.id),
          ref: meant.ref,
          role: meant.role,
          name: meant.name,
          box: record.shot(node.id)?.target ?? null,
          elements,
          ...provenanceOf(record, node, verdict),
        };
      }
  },
};
