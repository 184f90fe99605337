import type { TreeNode } from '../../core/tree.ts';
import { stepsOf, type Annotation, type Signal } from './signal.ts';

/** Steps after which nothing had changed. */
export const stalls: Signal = {
  name: 'stalls',
  about: 'Steps that changed nothing or were refused, and the longest row of them.',
  *annotate({ tree }) {
    let longest = 0;
    for (const step of stepsOf(tree)) {
      if (!isStall(step)) continue;
      yield annotationOf(step);
      longest = Math.max(longest, rowLength(tree.path(step.id)));
    }
    if (longest > 0) yield { node: null, label: 'longest-stall', value: longest };
  },
};

/** The end of an episode and what a tool told are no stalls. */
function isStall({ before, after, outcome }: TreeNode): boolean {
  return before === after && outcome.end === undefined && outcome.result === undefined;
}

function annotationOf({ id, outcome }: TreeNode): Annotation {
  if (outcome.applied) return { node: id, label: 'no-effect' };
  const { problem } = outcome;
  return { node: id, label: 'refused', ...(problem === undefined ? {} : { note: problem.message }) };
}

/** Stalls in a row at the end of a path. */
function rowLength(path: readonly TreeNode[]): number {
  const other = path.toReversed().findIndex(step => !isStall(step));
  return other === -1 ? path.length : other;
}
