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
  let here: Look = { session, shown: shownIn(session, values) };
  while (steps.length < mostSteps) {
    const candidates = here.session.candidates();
    const clicks = candidates.filter(({ action }) => action.kind === 'click');
    // Of equals the first is taken: a search rather than a walk.
    const next = bestOf([...candidates.filter(isSearch), ...clicks], here, values);
    if (next === null) break;
    steps.push(next.action);
    here = next;
  }
  return steps;
}

interface Look {
  readonly session: StateSession;
  readonly shown: number;
}

/** The step that shows the most, if any shows more than is shown here. */
function bestOf(
  candidates: readonly Candidate[],
  here: Look,
  values: readonly string[],
): (Look & { action: Action }) | null {
  let best: (Look & { action: Action }) | null = null;
  for (const { action } of candidates) {
    const session = here.session.fork();
    if (!session.step(action).applied || !session.guide().clean) continue;
    const shown = shownIn(session, values);
    if (shown > (best?.shown ?? here.shown)) best = { action, session, shown };
  }
  return best;
}

/** Parameters that the instruction names, the longest first: that is mostly what the task is about. */
function valuesNamed({ parameters, instruction }: Task): readonly string[] {
  const values = new Set(scalars(parameters).map(String));
  return [...values]
    .filter(value => value.length > 1 && standsIn(instruction, value))
    .toSorted((a, b) => b.length - a.length);
}

/** What the task is about counts for more than all the rest, and what was only typed for less than what was found. */
function shownIn(session: StateSession, values: readonly string[]): number {
  const { text } = session.observe();
  const found = text.replaceAll(/^.*\btextbox ".*$/gm, '');
  return values.reduce((sum, value, index) => {
    const worth = index === 0 ? values.length : 1;
    return sum + (found.includes(value) ? worth : text.includes(value) ? worth - 0.5 : 0);
  }, 0);
}

/** Typing is looking only in a search. */
function isSearch({ action, name = '' }: Candidate): boolean {
  return action.kind === 'fill' && /\bsearch\b/i.test(name);
}
