import type { EpisodeRecord } from '../../core/episode/record.ts';
import { columns } from '../rows/columns.ts';
import type { Exporter } from '../rows/exporter.ts';
import { provenanceColumns, provenanceOf } from '../rows/provenance.ts';
import { verifiedPaths } from './verified-paths.ts';

const planted = /^planted (FM-\d\.\d)$/;

/** AEGIS: a run that passed until one error was planted into it, with the agent, the mode and the step as its label. */
export const plantedErrors: Exporter = {
  name: 'planted-errors',
  about: 'AEGIS: runs that fail since one error was planted into them, labelled with agent, mode and step.',
  episodes: 'training',
  pictured: false,
  isOptional: true,
  columns: [
    ...columns({
      instruction: 'string',
      /** The steps as lines of text, as JSON, and the screens that they were taken on. */
      steps: 'strings',
      actions: 'strings',
      screens: 'strings',
      mode: 'string',
      agent: 'string',
      /** The wrong step, from 1. */
      error_step: 'int',
      /** What the passing run did there; null where it had ended. */
      right_action: 'string?',
      leaf: 'int',
    }),
    ...provenanceColumns,
  ],
  *rows({ record }) {
    for (const { path, leaf, role, verdict } of verifiedPaths(record)) {
      const mode = planted.exec(role)?.[1];
      const wrong = path.find(({ id }) => id === wrongStep(record, leaf));
      if (mode === undefined || wrong === undefined) continue;
      const at = path.indexOf(wrong);
      const right = record.tree.path(record.end.leaf)[at];
      yield {
        instruction: record.head.task.instruction,
        steps: path.map(({ id }) => record.text(id)),
        actions: path.map(({ action }) => JSON.stringify(action)),
        screens: path.map(({ id }) => record.screen(id)),
        mode,
        agent: wrong.outcome.role ?? record.head.student,
        error_step: at + 1,
        right_action: right === undefined ? null : JSON.stringify(right.action),
        leaf,
        ...provenanceOf(record, wrong, verdict),
      };
    }
  },
};

function wrongStep({ leaves }: EpisodeRecord, leaf: number): number | null {
  return leaves.find(({ node, role }) => node === leaf && planted.test(role))?.from ?? null;
}
