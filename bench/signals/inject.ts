import type { AegisMode } from '../../src/analysis/signals/diagnosis/aegis.ts';
import type { Action } from '../../src/core/action.ts';
import type { StateEnvironment } from '../../src/core/contracts.ts';
import type { StoredEpisode } from '../../src/core/episode/journal.ts';
import { describeStep } from '../../src/core/episode/view.ts';
import type { Random } from '../../src/core/random.ts';
import type { Task } from '../../src/core/records.ts';
import { plantedErrors, type PlantedError, type Replacement } from '../../src/episode/strategies/planted-errors.ts';
import { detourFrom, isLook } from './detours.ts';
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
  /** The replaced step, from 0, and what it does: `click button "Star"`. */
  readonly at: number;
  readonly description: string;
  readonly made: Replacement;
}

/** Puts each kind of error once into a passing run, at a step drawn at random, and keeps the runs that now fail. */
export function injectErrors(run: PassingRun, random: Random): InjectedFailure[] {
  return plantedErrors.flatMap(error => {
    const places = placesFor(run, error, random);
    if (places.length === 0) return [];
    const { at, description, made } = random.pick(places);
    const { task, environment, actions } = run;
    const rest = made.ends === true ? [] : actions.slice(at + 1);
    const changed = [...actions.slice(0, at), ...made.actions, ...rest].slice(0, task.budget.steps);
    const wrong = at + (made.wrong ?? 0);
    const stored = recordRun(
      environment,
      { task, actions: changed },
      {
        key: `${task.id} ${error.mode} at ${at + 1}`,
        student: 'injected',
        ...(made.thinks === true ? { think: (index, own) => `Next: ${index === wrong ? description : own}.` } : {}),
      },
    );
    // An episode that does not end errs at its last step.
    const step = Math.min(wrong + 1, stored.end.counts.steps);
    return stored.end.verdict?.pass === false && step > 0 ? [{ stored, mode: error.mode, step }] : [];
  });
}

function placesFor({ environment, task, actions }: PassingRun, { replace }: PlantedError, random: Random): Place[] {
  const session = environment.open(task);
  const places: Place[] = [];
  for (const [at, action] of actions.entries()) {
    const next = actions[at + 1];
    const stepsLeft = task.budget.steps - at;
    const offered = session.candidates();
    const made = replace({
      action,
      next,
      offered,
      stepsLeft,
      random,
      detour: () => detourFrom(session, offered, random),
      isLook: () => isLook(session, action),
    });
    if (made !== null) places.push({ at, description: describeStep(action, session.observe().text), made });
    session.step(action);
  }
  session.close();
  return places;
}
