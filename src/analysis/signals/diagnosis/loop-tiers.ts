import type { Signal } from '../signal.ts';

/**
 * The loop breaker of VLAA-GUI as counts over states. Its program asks a model; this is the deterministic form: tier 1 is the same
 * action on the same target twice without a change, tier 2 the same screen for three steps, tier 3 both again after a tier 2.
 */
export const loopTiers: Signal = {
  name: 'loop-tiers',
  about:
    'VLAA-GUI: tier 1 (same action twice, no change), tier 2 (same state for three steps), tier 3 (again after that).',
  labels: { 'tier-1': 'step', 'tier-2': 'step', 'tier-3': 'step', 'no-evidence': 'step', wasted: 'episode' },
  *annotate({ end }, { main, description }) {
    let same = 1;
    let still = 0;
    let hadTwo = false;
    let wasted = 0;
    for (const [index, step] of main.entries()) {
      const before = main[index - 1];
      const idle = step.after === step.before && step.outcome.end === undefined;
      wasted += Number(idle);
      still = idle ? still + 1 : 0;
      const isSame =
        before !== undefined && idle && before.after === before.before && description(before) === description(step);
      same = isSame ? same + 1 : 1;
      if (same === 2) yield { node: step.id, label: 'tier-1', note: 'use another way to interact' };
      if (still === 3) {
        yield { node: step.id, label: hadTwo ? 'tier-3' : 'tier-2', note: 'change the strategy' };
        hadTwo = true;
      }
    }
    const last = main.at(-1);
    // A finish needs evidence: something must have been seen or changed on the way.
    if (last?.action.kind === 'finish' && end.verdict?.pass !== true && main.every(step => step.after === step.before))
      yield { node: last.id, label: 'no-evidence', note: 'finished without having changed or opened anything' };
    if (main.length > 0) yield { node: null, label: 'wasted', value: wasted / main.length };
  },
};
