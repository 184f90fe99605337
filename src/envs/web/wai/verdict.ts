import type { Ending, Verdict } from '../../../core/records.ts';
import type { WaiTask } from './folder.ts';
import type { VerifierAnswer } from './verifier-worker.ts';

export interface WaiVerdictOptions {
  readonly task: Pick<WaiTask, 'id'>;
  readonly answer: VerifierAnswer;
  /** How the agent ended its episode; null while it goes on. */
  readonly ending: Ending | null;
}

/**
 * What a verifier of an app folder said, as a verdict: one check, named after the task and the reason given. Nothing there
 * says what else may change, so it is always clean.
 */
export function createWaiVerdict({ task, answer, ending }: WaiVerdictOptions): Verdict {
  const gaveUp = ending?.infeasible === true;
  const pass = answer.passed && !gaveUp;
  const reason = gaveUp ? 'given up as infeasible' : answer.message;
  return {
    pass,
    checks: [{ name: reason === '' ? task.id : `${task.id}: ${reason}`, pass }],
    progress: pass ? 1 : 0,
    clean: true,
    evidence: { trespasses: [], answer: ending?.answer ?? null },
  };
}
