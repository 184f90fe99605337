import type { Signal } from '../signal.ts';

/**
 * Whether an agent uses the evidence that it gets. A refusal or a step without effect is evidence against what was tried: doing the
 * same again ignores it, doing something else revises. The rates are shares of such evidence; without any there is no rate.
 */
export const epistemics: Signal = {
  name: 'epistemics',
  about:
    'How often evidence against a step (a refusal, no effect) is ignored, and how often it leads to something else.',
  labels: { ignored: 'step', revised: 'step', 'ignored-rate': 'episode', 'revision-rate': 'episode' },
  *annotate(_episode, { main, description }) {
    let against = 0;
    let ignored = 0;
    for (const [index, step] of main.entries()) {
      const before = main[index - 1];
      if (before === undefined) continue;
      const isEvidence =
        !before.outcome.applied || (before.before === before.after && before.outcome.result === undefined);
      if (!isEvidence) continue;
      against++;
      const isIgnored = description(before) === description(step);
      ignored += Number(isIgnored);
      yield { node: step.id, label: isIgnored ? 'ignored' : 'revised' };
    }
    if (against === 0) return;
    yield { node: null, label: 'ignored-rate', value: ignored / against };
    yield { node: null, label: 'revision-rate', value: 1 - ignored / against };
  },
};
