import { ownChecks } from '../../core/check-ids.ts';
import { EspalierError } from '../../core/errors.ts';
import { describeIssues, verdictSchema, type Verdict } from '../../core/records.ts';

/** What a verifier said, for an agent that has finished or not: who has not finished has not passed. */
export function verdictOn(said: unknown, isFinished: boolean): Verdict {
  const parsed = verdictSchema.safeParse(said);
  if (parsed.success) return isFinished ? parsed.data : unfinished(parsed.data);
  throw new EspalierError({
    boundary: 'verifier',
    code: 'out-of-range',
    message: `The verifier gave no verdict: ${describeIssues(parsed.error)}.`,
    expected: 'Expected a verdict for every state.',
  });
}

/** A state may be right by accident: only an agent that says it is done has done the task. */
function unfinished(verdict: Verdict): Verdict {
  const checks = [...verdict.checks, { ...ownChecks.agentFinished, pass: false }];
  return { ...verdict, pass: false, checks, progress: checks.filter(({ pass }) => pass).length / checks.length };
}
