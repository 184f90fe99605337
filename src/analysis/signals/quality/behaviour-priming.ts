import { behavioursOf } from '../diagnosis/search-behaviour.ts';
import type { Signal } from '../signal.ts';

/**
 * Behaviour priming: episodes to train on before reinforcement, chosen by what they do and not by whether they pass. Primed ones
 * show all four search behaviours.
 */
export const behaviourPriming: Signal = {
  name: 'behaviour-priming',
  about: 'How many of the four search behaviours an episode shows; primed ones show all, whatever their verdict.',
  labels: { behaviours: 'episode', primed: 'episode' },
  *annotate(_episode, trace) {
    const shown = Object.values(behavioursOf(trace)).filter(times => times > 0).length;
    yield { node: null, label: 'behaviours', value: shown };
    yield { node: null, label: 'primed', value: Number(shown === 4) };
  },
};
