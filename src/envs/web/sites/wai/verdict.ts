import type { Ending, Verdict } from '../../../../core/records.ts';
import type { WaiTask } from './folder.ts';
import type { VerifierAnswer } from '../../../python/worker.ts';

export interface WaiVerdictOptions {
  readonly task: Pick<WaiTask, 'id'>;
  readonly answer: VerifierAnswer;
  /** What was done to the state by other means than the app's own scripts. */
  readonly tampering: readonly string[];
  /** How the agent ended its episode; null while it goes on. */
  readonly ending: Ending | null;
}

/**
 * What a verifier of an app folder said, as a verdict: one check, named after the task and the reason given. Nothing there
 * says what else may change, so it is clean unless somebody tampered with the state: then it does not pass.
 */
export function createWaiVerdict({ task, answer, tampering, ending }: WaiVerdictOptions): Verdict {
  const gaveUp = ending?.infeasible === true;
  const done = answer.passed && !gaveUp;
  const reason = gaveUp ? 'given up as infeasible' : answer.message;
  const clean = tampering.length === 0;
  const [first = '', ...more] = tampering;
  const beside = more.length === 0 ? '' : ` (and ${more.length} more)`;
  return {
    pass: done && clean,
    checks: [
      { id: 'verifier', name: reason === '' ? task.id : `${task.id}: ${reason}`, pass: done },
      ...(clean
        ? []
        : [{ id: 'untampered', name: `only the app itself writes its state: ${first}${beside}`, pass: false }]),
    ],
    progress: done && clean ? 1 : 0,
    clean,
    evidence: { sideEffects: [], answer: ending?.answer ?? null, sideEffectsKnown: false },
  };
}
