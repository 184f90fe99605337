import type { TreeNode } from '../../core/tree.ts';
import type { Annotation, Signal } from './signal.ts';
import { isStall } from './trace.ts';

/** Steps after which nothing had changed. */
export const stalls: Signal = {
  name: 'stalls',
  about: 'Steps that changed nothing or were refused, and the longest row of them.',
  labels: { 'no-effect': 'step', refused: 'step', 'longest-stall': 'episode' },
  *annotate({ tree }, { steps }) {
    let longest = 0;
    for (const step of steps) {
      if (!isStall(step)) continue;
      yield annotationOf(step);
      longest = Math.max(longest, rowLength(tree.path(step.id)));
    }
    if (longest > 0) yield { node: null, label: 'longest-stall', value: longest };
  },
};

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
