import { describeAction } from '../../core/action.ts';
import type { TreeNode } from '../../core/tree.ts';
import type { Annotation, Signal } from './signal.ts';

/** So many equal actions in a row are a loop. */
const manyTimes = 3;

/** Steps that lead back to a state of their own path, and actions that are repeated. */
export const loops: Signal = {
  name: 'loops',
  about: 'Steps that lead back to an earlier state of their path, and the same action three times in a row or more.',
  labels: { revisit: 'step', repeat: 'step' },
  *annotate({ tree }, { steps }) {
    for (const step of steps) {
      const path = tree.path(step.id);
      yield* revisit(path, tree.root);
      yield* repeat(path);
    }
  },
};

/** A step that changes nothing is no loop: that is a stall. */
function* revisit(path: readonly TreeNode[], root: string): Iterable<Annotation> {
  const { id, before, after } = path.at(-1) as TreeNode;
  if (after === before) return;
  const states = [root, ...path.map(step => step.after)];
  const first = states.indexOf(after);
  const length = path.length - first;
  if (length === 0) return;
  const place = first === 0 ? 'the start' : `step ${(path[first - 1] as TreeNode).id}`;
  yield { node: id, label: 'revisit', value: length, note: `leads back to the state after ${place}` };
}

function* repeat(path: readonly TreeNode[]): Iterable<Annotation> {
  const [last, ...earlier] = path.toReversed() as [TreeNode, ...TreeNode[]];
  const action = describeAction(last.action);
  const others = earlier.findIndex(step => describeAction(step.action) !== action);
  const times = 1 + (others === -1 ? earlier.length : others);
  if (times >= manyTimes)
    yield { node: last.id, label: 'repeat', value: times, note: `${action}, ${times} times in a row` };
}
