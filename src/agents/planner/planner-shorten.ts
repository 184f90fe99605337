import type { Action } from '../../core/action.ts';
import type { Candidate, StateSession } from '../../core/contracts.ts';
import { contractProblem } from '../../core/step-contracts/step-contract.ts';

/** An action and what it was aimed at, so that it can be found again when the numbering has changed. */
export type PlannedStep = Candidate;

/** Drops steps that the plan passes without, longest runs first. */
export function shorten(session: StateSession, steps: readonly PlannedStep[]): Action[] {
  let best = [...steps];
  let actions = steps.map(step => step.action);
  for (let size = Math.min(4, steps.length - 1); size >= 1; size--) {
    for (let at = 0; at + size < best.length; ) {
      const shorter = best.toSpliced(at, size);
      const replayed = replay(session, shorter);
      if (replayed === null) at++;
      else [best, actions] = [shorter, replayed];
    }
  }
  return actions;
}

/** The actions that take these steps from here, or null when they do not end in a pass. */
function replay(session: StateSession, steps: readonly PlannedStep[]): Action[] | null {
  const walker = session.fork();
  const actions: Action[] = [];
  let isTaken = true;
  for (const step of steps) {
    const action = locate(walker, step);
    if (action === null) return null;
    const { applied, problem } = walker.step(action);
    // A contract may ask: the plan repeats the step.
    if (!applied && problem?.code !== contractProblem) return null;
    isTaken = applied;
    actions.push(action);
  }
  return isTaken && walker.verify().pass ? actions : null;
}

function locate(session: StateSession, step: PlannedStep): Action | null {
  const { action } = step;
  if (action.kind === 'finish' || action.kind === 'call') return action;
  return session.candidates().find(candidate => isSame(candidate, step))?.action ?? null;
}

function isSame(candidate: Candidate, step: PlannedStep): boolean {
  if (candidate.name !== step.name || candidate.role !== step.role || candidate.action.kind !== step.action.kind) {
    return false;
  }
  if (candidate.action.kind === 'fill' && step.action.kind === 'fill')
    return candidate.action.text === step.action.text;
  if (candidate.action.kind === 'select' && step.action.kind === 'select') {
    return candidate.action.option === step.action.option;
  }
  return sameNames(candidate.within ?? [], step.within ?? []);
}

function sameNames(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((name, index) => name === right[index]);
}
