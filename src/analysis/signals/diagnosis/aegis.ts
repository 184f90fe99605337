import type { Signal } from '../signal.ts';
import { signsOf, type SignKind } from './signs.ts';

/** The fourteen failure modes of AEGIS, with their numbers. */
export const aegisModes = {
  'FM-1.1': 'deviates from the specification of the task',
  'FM-1.2': 'acts outside of its role',
  'FM-1.3': 'takes redundant steps',
  'FM-1.4': 'forgets what it did',
  'FM-1.5': 'does not terminate',
  'FM-2.1': 'repeats itself',
  'FM-2.2': 'acts on something ambiguous',
  'FM-2.3': 'deviates from the goal',
  'FM-2.4': 'withholds information',
  'FM-2.5': 'ignores what it was told',
  'FM-2.6': 'acts against its own reasoning',
  'FM-3.1': 'ends too early',
  'FM-3.2': 'does not verify',
  'FM-3.3': 'verifies wrongly',
} as const;
export type AegisMode = keyof typeof aegisModes;

const modes: Readonly<Record<SignKind, AegisMode>> = {
  'invalid-action': 'FM-1.2',
  'outside-role': 'FM-1.2',
  'bad-parameter': 'FM-1.1',
  'impossible-action': 'FM-2.3',
  'unseen-value': 'FM-1.1',
  'off-target': 'FM-2.3',
  ambiguous: 'FM-2.2',
  'no-effect': 'FM-1.3',
  'leads-back': 'FM-1.3',
  forgotten: 'FM-1.4',
  repeat: 'FM-2.1',
  'ignored-refusal': 'FM-2.5',
  'contradicts-thought': 'FM-2.6',
  'withheld-answer': 'FM-2.4',
  'wrong-answer': 'FM-3.3',
  'gave-up': 'FM-3.1',
  'no-verification': 'FM-3.2',
  'wrong-verification': 'FM-3.3',
  'no-termination': 'FM-1.5',
};

/** AEGIS: which of the fourteen modes an episode shows, and where. */
export const aegis: Signal = {
  name: 'aegis',
  about: 'AEGIS: the fourteen failure modes FM-1.1 to FM-3.3, at the steps that show them.',
  labels: Object.fromEntries(Object.keys(aegisModes).map(mode => [mode, 'step' as const])),
  *annotate(episode, trace) {
    if (trace.passed === true) return;
    for (const { node, kind, note } of signsOf(episode, trace)) yield { node, label: modes[kind], note };
    const end = trace.main.at(-1);
    // What was left undone is more than a missing look: less than half of the checks hold.
    const { verdict } = episode.end;
    if (verdict !== null && end?.action.kind === 'finish' && verdict.progress < 0.5)
      yield { node: end.id, label: 'FM-3.1', value: verdict.progress, note: 'finished with most of the task undone' };
  },
};
