import type { Annotation, Signal } from '../signal.ts';
import { reachAlong, type Reach } from './reachability.ts';

/**
 * DataPRM: +1 for a step that leads on, 0 for one that can be corrected, −1 when no way to the goal is left after it. With
 * forks that is exact: the planner has tried every action on offer.
 */
export const dataprm: Signal = {
  name: 'dataprm',
  about: 'Steps as correct (+1), correctable (0) or irrecoverable (-1), by planning from every state.',
  labels: { correct: 'step', correctable: 'step', irrecoverable: 'step', undecided: 'step', lost: 'episode' },
  needsForks: true,
  annotate: () => [],
  *forks({ tree, end }, world) {
    const path = tree.path(end.leaf);
    const reaches = reachAlong(
      world,
      path.map(({ id }) => id),
    );
    let lost: number | null = null;
    for (const [index, { id }] of path.entries()) {
      const said = ternary(id, reaches[index] as Reach, reaches[index + 1] as Reach);
      if (said.label === 'irrecoverable') lost ??= id;
      yield said;
    }
    if (lost !== null) yield { node: null, label: 'lost', value: lost, note: `no way to the goal after step ${lost}` };
  },
};

/** The label of one step, from how far the goal was before and after it. */
export function ternary(node: number, before: Reach, after: Reach): Annotation {
  if (after.kind === 'unreachable') {
    const note = before.kind === 'unreachable' ? 'the goal was out of reach before' : 'the goal is out of reach now';
    return { node, label: 'irrecoverable', value: -1, note };
  }
  if (after.kind === 'unknown' || before.kind !== 'reachable')
    return { node, label: 'undecided', note: 'the search for a way was cut short' };
  const note = `${before.cost} steps to go before, ${after.cost} after`;
  return after.cost < before.cost
    ? { node, label: 'correct', value: 1, note }
    : { node, label: 'correctable', value: 0, note };
}
