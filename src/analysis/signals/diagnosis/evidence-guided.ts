import { intentsOf, targetOf } from '../quality/intents.ts';
import type { Signal } from '../signal.ts';

/**
 * EGS: acts that are preceded by a look at the same object and followed by a check of it, as a share of all acts (a definition of
 * ours). Without any act there is no share.
 */
export const evidenceGuided: Signal = {
  name: 'evidence-guided',
  about: 'EGS: the share of acts with a look at the same object before and a check of it after; selects careful runs.',
  labels: { guided: 'step', unguided: 'step', egs: 'episode' },
  *annotate(_episode, trace) {
    const { main, description } = trace;
    const intents = intentsOf(main, trace);
    const targets = main.map(step => targetOf(description(step)));
    let acts = 0;
    let guided = 0;
    for (const [index, { id }] of main.entries()) {
      if (intents[index] !== 'implementation') continue;
      acts++;
      const isLook = (at: number): boolean =>
        targets[at] === targets[index] && (intents[at] === 'exploration' || intents[at] === 'verification');
      const isGuided = main.some((_, at) => at < index && isLook(at)) && main.some((_, at) => at > index && isLook(at));
      guided += Number(isGuided);
      yield { node: id, label: isGuided ? 'guided' : 'unguided' };
    }
    if (acts > 0) yield { node: null, label: 'egs', value: guided / acts };
  },
};
