import { intentsOf, targetOf } from '../quality/intents.ts';
import type { Signal } from '../signal.ts';
import type { Trace } from '../trace.ts';

export interface Behaviours {
  /** Looks at something again after a change. */
  readonly verification: number;
  /** Opens a record that the task names, rather than any. */
  readonly authority: number;
  /** Tries another target after one that led nowhere. */
  readonly adaptiveSearch: number;
  /** Does something else after a refusal, and it is applied. */
  readonly errorRecovery: number;
}

/** How often each of the four behaviours of good searchers occurs on a path. */
export function behavioursOf(trace: Trace): Behaviours {
  const { main, description, told } = trace;
  const intents = intentsOf(main, trace);
  const found = { verification: 0, authority: 0, adaptiveSearch: 0, errorRecovery: 0 };
  for (const [index, step] of main.entries()) {
    const target = targetOf(description(step));
    const before = main[index - 1];
    if (intents[index] === 'verification') found.verification++;
    if (target !== null && target.length > 2 && told.includes(target)) found.authority++;
    if (before === undefined || description(before) === description(step)) continue;
    if (!before.outcome.applied && step.outcome.applied) found.errorRecovery++;
    else if (before.before === before.after && step.after !== step.before) found.adaptiveSearch++;
  }
  return found;
}

/** Counts of the four search behaviours, and whether an episode shows enough of them to prime a student with. */
export const searchBehaviour: Signal = {
  name: 'search-behaviour',
  about: 'Verification, authority, adaptive search and error recovery: how often each occurs in an episode.',
  labels: {
    verification: 'episode',
    authority: 'episode',
    'adaptive-search': 'episode',
    'error-recovery': 'episode',
  },
  *annotate(_episode, trace) {
    const { verification, authority, adaptiveSearch, errorRecovery } = behavioursOf(trace);
    yield { node: null, label: 'verification', value: verification };
    yield { node: null, label: 'authority', value: authority };
    yield { node: null, label: 'adaptive-search', value: adaptiveSearch };
    yield { node: null, label: 'error-recovery', value: errorRecovery };
  },
};
