import { defined, type JsonObject } from '../../../core/json.ts';
import type { Verdict } from '../../../core/records.ts';
import { verdictFigures } from '../format.ts';

/** A verdict as a score: 1 or 0, with the checks that do not hold as its explanation. */
export function scoreOf(verdict: Verdict): JsonObject {
  const { evidence, checks, pass } = verdict;
  const wrong = [
    ...checks.filter(check => !check.pass).map(({ name }) => `Not met: ${name}`),
    ...evidence.sideEffects.map(path => `Changed besides: ${path}`),
  ];
  return defined({
    value: pass ? 1 : 0,
    answer: evidence.answer ?? undefined,
    explanation: wrong.length === 0 ? undefined : wrong.join('\n'),
    metadata: verdictFigures(verdict) as unknown as JsonObject,
  }) as JsonObject;
}
