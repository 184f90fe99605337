import { ownChecks } from '../../core/check-ids.ts';
import type { CheckResult, Ending, Verdict } from '../../core/records.ts';

/** The verdict on a task that is answered and has nothing to change: it passes when every check holds and it was not given up. */
export function answerVerdict(ending: Ending | null, judged: readonly CheckResult[]): Verdict {
  const givenUp = ending?.infeasible === true ? [{ ...ownChecks.notGivenUp, pass: false }] : [];
  const checks = [...judged, ...givenUp];
  const passed = checks.filter(({ pass }) => pass).length;
  return {
    pass: passed === checks.length,
    checks,
    progress: passed / checks.length,
    clean: true,
    evidence: { sideEffects: [], answer: ending?.answer ?? null },
  };
}
