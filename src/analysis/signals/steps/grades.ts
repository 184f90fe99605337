import { leavesOf, type EpisodeRecord } from '../../../core/episode/record.ts';
import type { TreeNode } from '../../../core/tree.ts';
import type { Signal } from '../signal.ts';
import { isStall } from '../trace.ts';

/** Steps below this grade are masked: they stay in the context, and nothing is learned from them. */
const gradeThreshold = 0.5;

/**
 * WebSTAR: a grade for every step; training takes those at the threshold or above, and keeps the others as context. The
 * grades are a definition of ours: what the record shows of a step, the surest evidence first.
 */
export const grades: Signal = {
  name: 'grades',
  about: 'WebSTAR: a grade from 0 to 1 for every step; steps below 0.5 are masked in training, not deleted.',
  labels: { keep: 'step', mask: 'step', kept: 'episode' },
  *annotate(episode, { steps }) {
    const gradeOf = createGrader(episode);
    let kept = 0;
    for (const step of steps) {
      const { value, note } = gradeOf(step);
      const isKept = value >= gradeThreshold;
      kept += Number(isKept);
      yield { node: step.id, label: isKept ? 'keep' : 'mask', value, note };
    }
    if (steps.length > 0) yield { node: null, label: 'kept', value: kept / steps.length };
  },
};

interface Grade {
  readonly value: number;
  readonly note: string;
}

function createGrader(episode: EpisodeRecord): (step: TreeNode) => Grade {
  const { tree, reviews } = episode;
  const rejected = new Set(reviews.map(({ at }) => at));
  const passing = new Set<number>();
  const verified = new Set<number>();
  for (const { node, verdict } of leavesOf(episode))
    if (verdict !== null)
      for (const { id } of tree.path(node)) {
        verified.add(id);
        if (verdict.pass) passing.add(id);
      }
  return step => {
    const { id, before, after, outcome, actor } = step;
    if (rejected.has(id)) return { value: 0, note: 'rejected by the teacher' };
    if (!outcome.applied) return { value: 0.1, note: 'refused' };
    if (isStall(step)) return { value: 0.2, note: 'no effect' };
    const states = [tree.root, ...tree.path(step.parent).map(one => one.after)];
    if (after !== before && states.includes(after)) return { value: 0.3, note: 'leads back to an earlier state' };
    if (passing.has(id)) return { value: actor.role === 'student' ? 0.9 : 1, note: 'on a path that passed' };
    if (actor.role !== 'student') return { value: 0.8, note: `taken by the ${actor.role}` };
    return verified.has(id)
      ? { value: 0.4, note: 'only on paths that failed' }
      : { value: 0.5, note: 'its path was not verified' };
  };
}
