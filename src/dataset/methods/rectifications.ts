import { actionKey } from '../../core/action.ts';
import type { EpisodeRecord } from '../../core/episode/record.ts';
import type { TreeNode } from '../../core/tree.ts';
import { columns } from '../rows/columns.ts';
import { provenanceColumns, provenanceOf } from '../rows/provenance.ts';
import { taughtColumns, taughtStep } from '../rows/taught-step.ts';
import type { Exporter } from '../rows/exporter.ts';
import { verdictsBelow, verifiedPaths } from './verified-paths.ts';

/** The first step whose score is below the threshold; -1 when none is. */
export function firstError(scores: readonly number[], threshold: number): number {
  return scores.findIndex(score => score < threshold);
}

/**
 * SCOPE: the first error of a failed trajectory, replaced by a teacher's step. The score of a step is 1 where some
 * trajectory passed from the state after it, else 0; steps before the error are context, and are not trained on. Only a
 * step of a teacher that led to a pass is taught: without one there is no row.
 */
export const rectifications: Exporter = {
  name: 'rectifications',
  about: 'SCOPE: the first error of failed trajectories, and the step of a teacher in its place.',
  episodes: 'training',
  pictured: false,
  isOptional: true,
  columns: [
    ...columns({
      ...taughtColumns,
      failed_leaf: 'int',
      /** Place of the first error in its trajectory, from 0: so many steps are the prefix. */
      error_step: 'int',
      error_node: 'int',
      error_action: 'string',
      /** Verified leaves below the step of the teacher, and how many of them passed. */
      leaves: 'int',
      leaves_passed: 'int',
    }),
    ...provenanceColumns,
  ],
  *rows({ record, requests, passesFrom, isRight }) {
    const paths = verifiedPaths(record);
    const below = verdictsBelow(paths);
    const written = new Set<number>();
    for (const { path, leaf, verdict } of paths) {
      if (verdict.pass) continue;
      const error = firstError(
        path.map(({ id }) => (passesFrom(id) ? 1 : 0)),
        0.5,
      );
      const wrong = path[error];
      if (wrong === undefined || written.has(wrong.id) || isRight(wrong.id)) continue;
      const taught = taughtInPlaceOf(record, wrong).find(({ id }) => below.get(id)?.includes(true));
      const request = taught === undefined ? null : requests.of(record, taught.id);
      if (taught === undefined || request === null) continue;
      written.add(wrong.id);
      const leaves = below.get(taught.id) ?? [];
      yield {
        ...taughtStep(request, taught),
        failed_leaf: leaf,
        error_step: error,
        error_node: wrong.id,
        error_action: JSON.stringify(wrong.action),
        leaves: leaves.length,
        leaves_passed: leaves.filter(pass => pass).length,
        ...provenanceOf(record, taught, verdict),
      };
    }
  },
};

/** Steps of a teacher in the place of a wrong one, with another action. */
function taughtInPlaceOf({ tree }: EpisodeRecord, wrong: TreeNode): readonly TreeNode[] {
  return tree
    .children(wrong.parent)
    .filter(
      ({ actor, outcome, action }) =>
        actor.role !== 'student' && outcome.applied && actionKey(action) !== actionKey(wrong.action),
    );
}
