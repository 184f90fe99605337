import type { AegisMode } from '../../src/analysis/signals/diagnosis/aegis.ts';
import type { Action } from '../../src/core/action.ts';
import type { Candidate, StateEnvironment } from '../../src/core/contracts.ts';
import type { StoredEpisode } from '../../src/core/episode/journal.ts';
import type { Random } from '../../src/core/random.ts';
import type { Task } from '../../src/core/records.ts';
import { recordRun } from './recorded-run.ts';

/** A failure whose first bad step is known: the run passed before one error was put in. */
export interface InjectedFailure {
  readonly stored: StoredEpisode;
  readonly mode: AegisMode;
  /** The step with the error, from 1. */
  readonly step: number;
}

export interface PassingRun {
  readonly environment: StateEnvironment;
  readonly task: Task;
  readonly actions: readonly Action[];
}

interface Place {
  readonly action: Action;
  /** What was on offer in the state of this step. */
  readonly offered: readonly Candidate[];
  readonly random: Random;
}

/** One way to err: the actions that stand in the place of a step; null where it does not apply. `ends` leaves out the rest. */
interface Error {
  readonly mode: AegisMode;
  replace(place: Place): { readonly actions: readonly Action[]; readonly ends?: true } | null;
}

const errors: readonly Error[] = [
  { mode: 'FM-1.1', replace: wrongParameter },
  { mode: 'FM-1.4', replace: ({ action }) => (action.kind === 'finish' ? null : { actions: [] }) },
  { mode: 'FM-1.5', replace: ({ action }) => (action.kind === 'finish' ? { actions: [], ends: true } : null) },
  { mode: 'FM-2.1', replace: ({ action }) => (action.kind === 'click' ? { actions: [action, action, action] } : null) },
  { mode: 'FM-2.3', replace: otherTarget },
  { mode: 'FM-2.4', replace: withheldAnswer },
  {
    mode: 'FM-3.1',
    replace: ({ action }) => (action.kind === 'finish' ? null : { actions: [{ kind: 'finish' }], ends: true }),
  },
];

function wrongParameter({ action, offered, random }: Place) {
  if (action.kind === 'fill')
    return { actions: [{ ...action, text: `${random.pick(['Zephyr', 'Quill', '7731'])} ${action.text.slice(1)}` }] };
  if (action.kind !== 'select') return null;
  const others = offered
    .map(one => one.action)
    .filter(one => one.kind === 'select' && one.ref === action.ref && one.option !== action.option);
  return others.length === 0 ? null : { actions: [random.pick(others)] };
}

function otherTarget({ action, offered, random }: Place) {
  if (action.kind !== 'click') return null;
  const own = offered.find(one => one.action.kind === 'click' && one.action.ref === action.ref);
  const others = offered.filter(one => one.action.kind === 'click' && one.role === own?.role && one !== own);
  return others.length === 0 ? null : { actions: [random.pick(others).action] };
}

function withheldAnswer({ action }: Place) {
  return action.kind === 'finish' && action.answer !== undefined ? { actions: [{ kind: 'finish' } as const] } : null;
}

/** Puts each kind of error once into a passing run, at a step drawn at random, and keeps what fails now. */
export function injectErrors(run: PassingRun, random: Random): InjectedFailure[] {
  return errors.flatMap(error => {
    const places = placesFor(run, error, random);
    if (places.length === 0) return [];
    const { at, actions } = random.pick(places);
    const key = `${run.task.id} ${error.mode} at ${at + 1}`;
    const stored = recordRun(run.environment, { task: run.task, actions }, { key, student: 'injected' });
    // The first of equal steps is right; an episode that does not end errs at its last step.
    const step = Math.min(at + (error.mode === 'FM-2.1' ? 2 : 1), stored.end.counts.steps);
    return stored.end.verdict?.pass === false && step > 0 ? [{ stored, mode: error.mode, step }] : [];
  });
}

function placesFor({ environment, task, actions }: PassingRun, { replace }: Error, random: Random) {
  const session = environment.open(task);
  const places: { readonly at: number; readonly actions: readonly Action[] }[] = [];
  for (const [at, action] of actions.entries()) {
    const made = replace({ action, offered: session.candidates(), random });
    if (made !== null) {
      const rest = made.ends === true ? [] : actions.slice(at + 1);
      places.push({ at, actions: [...actions.slice(0, at), ...made.actions, ...rest] });
    }
    session.step(action);
  }
  session.close();
  return places;
}
