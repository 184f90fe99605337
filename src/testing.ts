import { createRandomPolicy } from './agents/random.ts';
import { checkStrategyLaws, type StrategyLawOptions, type StrategyLawResult } from './episode/laws/strategy-laws.ts';
import { createTrail } from './worlds/trail.ts';

export { admitTemplates, type AdmissionOptions } from './forge/admission/admission.ts';
export type { Admission } from './worlds/admission.ts';
export { checkLaws, type LawOptions, type LawResult } from './worlds/laws.ts';
export type { StrategyLawResult };

export type StrategyCheck = Pick<
  StrategyLawOptions,
  'strategy' | 'environment' | 'tasks' | 'teacher' | 'evaluates' | 'stops'
> &
  Partial<Pick<StrategyLawOptions, 'student'>>;

/** Holds a strategy against the laws of every strategy: budgets, the same again, replays, verdicts, stops. */
export function checkStrategy(check: StrategyCheck): Promise<StrategyLawResult[]> {
  return checkStrategyLaws({ student: createRandomPolicy, ...check, createTrail });
}
