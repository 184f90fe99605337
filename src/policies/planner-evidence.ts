import type { Action } from '../core/action.ts';
import type { Candidate, StateSession } from '../core/contracts.ts';
import { scalars } from '../core/json.ts';
import type { Task } from '../core/records.ts';
import { standsIn } from '../core/text.ts';

const mostSteps = 4;

/**
 * Steps that look up what the task speaks of: each brings more of its values onto the screen, and changes nothing.
 * Where nothing is to be done, or nothing can be, this is what is left to do before saying so.
 */
export function stepsToEvidence(session: StateSession): readonly Action[] {
  const values = valuesNamed(session.task);
  const steps: Action[] = [];
  let here = session;
  let shown = shownIn(here, values);
  while (steps.length < mostSteps) {
    let best: { readonly action: Action; readonly session: StateSession; readonly shown: number } | null = null;
    for (const candidate of here.candidates()) {
      if (!isLooking(candidate)) continue;
      const next = here.fork();
      if (!next.step(candidate.action).applied || !next.guide().clean) continue;
      const count = shownIn(next, values);
      if (count > (best?.shown ?? shown)) best = { action: candidate.action, session: next, shown: count };
    }
    if (best === null) break;
    steps.push(best.action);
    here = best.session;
    shown = best.shown;
  }
  return steps;
}

/** Parameters that the instruction names. */
function valuesNamed({ parameters, instruction }: Task): readonly string[] {
  const values = new Set(scalars(parameters).map(String));
  return [...values].filter(value => value.length > 1 && standsIn(instruction, value));
}

function shownIn(session: StateSession, values: readonly string[]): number {
  const { text } = session.observe();
  return values.filter(value => text.includes(value)).length;
}

/** Typing is looking only in a search. */
function isLooking({ action, name = '' }: Candidate): boolean {
  return action.kind === 'click' || (action.kind === 'fill' && /\bsearch\b/i.test(name));
}
