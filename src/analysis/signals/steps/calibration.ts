import { leavesOf } from '../../../core/episode/record.ts';
import type { Signal } from '../signal.ts';

/**
 * Step-GUI: steps are trusted as far as the verdicts of the trajectories through them say. In a tree that is the share of
 * verified leaves below a step that passed.
 */
export const calibration: Signal = {
  name: 'calibration',
  about: 'Step-GUI: the share of verified ends below a step that passed; steps without a verified end are marked.',
  labels: { trusted: 'step', mixed: 'step', distrusted: 'step', unverified: 'step' },
  *annotate(episode, { steps }) {
    const passed = new Map<number, number>();
    const verified = new Map<number, number>();
    for (const { node, verdict } of leavesOf(episode)) {
      if (verdict === null) continue;
      for (const { id } of episode.tree.path(node)) {
        verified.set(id, (verified.get(id) ?? 0) + 1);
        if (verdict.pass) passed.set(id, (passed.get(id) ?? 0) + 1);
      }
    }
    for (const { id } of steps) {
      const all = verified.get(id) ?? 0;
      if (all === 0) {
        yield { node: id, label: 'unverified' };
        continue;
      }
      const value = (passed.get(id) ?? 0) / all;
      const label = value === 1 ? 'trusted' : value === 0 ? 'distrusted' : 'mixed';
      yield { node: id, label, value, ...(all === 1 ? {} : { note: `of ${all} verified ends` }) };
    }
  },
};
