import { columns } from '../rows/columns.ts';
import { provenanceColumns, provenanceOf } from '../rows/provenance.ts';
import { taughtColumns, taughtStep } from '../rows/taught-step.ts';
import type { Exporter } from '../rows/exporter.ts';
import { verifiedPaths } from './verified-paths.ts';

/**
 * Exploring expert failures: the steps of a failed trajectory up to the last state from which some trajectory passed.
 * What came after that state is left out. Where an expert failed, the student's attempts after it are not its failures.
 */
export const expertFailures: Exporter = {
  name: 'expert-failures',
  about: 'EEF: the useful beginning of failed trajectories, up to the last state from which another one passed.',
  episodes: 'training',
  pictured: false,
  isOptional: true,
  columns: [
    ...columns({
      ...taughtColumns,
      leaf: 'int',
      /** Place in its trajectory, from 0; how many steps of it are kept; and how many it has. */
      step: 'int',
      kept_steps: 'int',
      steps: 'int',
    }),
    ...provenanceColumns,
  ],
  *rows({ record, requests, passesFrom }) {
    const written = new Set<number>();
    const failed = verifiedPaths(record).filter(({ verdict }) => !verdict.pass);
    const shown = failed.filter(({ path }) => path.every(({ actor }) => actor.role !== 'student'));
    for (const { path, leaf, verdict } of shown.length > 0 ? shown : failed) {
      const kept = path.findLastIndex(({ id }) => passesFrom(id)) + 1;
      for (const [step, node] of path.slice(0, kept).entries()) {
        const request = requests.of(record, node.id);
        if (written.has(node.id) || request === null) continue;
        written.add(node.id);
        yield {
          ...taughtStep(request, node),
          leaf,
          step,
          kept_steps: kept,
          steps: path.length,
          ...provenanceOf(record, node, verdict),
        };
      }
    }
  },
};
