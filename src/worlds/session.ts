import type { Action } from '../core/action.ts';
import type { Snapshot, StateSession } from '../core/contracts.ts';
import type { Digest } from '../core/digest.ts';
import { EspalierError } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';
import type { Ending, StepOutcome, Task } from '../core/records.ts';
import { createScreen, type Screen } from '../core/ui.ts';
import type { App } from './app/app.ts';
import type { AppCommand } from './app/command.ts';
import { execute } from './execute.ts';
import type { Judge } from './verdict/goal.ts';
import { nothingHidden, type HiddenChanges } from './verdict/hidden-changes.ts';
import { malformation, resolve } from './resolve.ts';
import { drawn, screenCandidates } from './screen.ts';

/** What all sessions of one world share. */
export interface World<S extends JsonObject> {
  readonly app: App<S>;
  readonly commands: ReadonlyMap<string, AppCommand<S>>;
  readonly digest: Digest;
  /** The screen of the state with this digest: groups of sessions on one task see the same screens. */
  screen(digest: string, draw: () => Screen): Screen;
  /** What is done with every new state: nothing, or freezing it. */
  settle(state: S): S;
}

/** What all forks of one episode share. */
export interface Episode<S extends JsonObject> {
  readonly world: World<S>;
  readonly task: Task;
  readonly judge: Judge<S>;
  /** Task parameters that the instruction names: what an agent may type. */
  readonly texts: readonly string[];
}

/** Everything that makes one state of a session differ from another. Immutable. */
interface SessionState<S extends JsonObject> {
  readonly state: S;
  /** What was changed on the way and cannot be told from the state. */
  readonly hidden: HiddenChanges;
  /** What was seen of the evidence for the ending, a bit for each part. */
  readonly seen: number;
  readonly ending: Ending | null;
}

interface SessionSnapshot<S extends JsonObject> extends Snapshot {
  readonly episode: Episode<S>;
  readonly current: SessionState<S>;
}

export function createSession<S extends JsonObject>(episode: Episode<S>, start: S): StateSession {
  const seen = episode.judge.evidence?.shownIn(start) ?? 0;
  return sessionAt(episode, { state: start, hidden: nothingHidden, seen, ending: null }, nothingKnown);
}

function sessionAt<S extends JsonObject>(episode: Episode<S>, start: SessionState<S>, known: Known): StateSession {
  const { world, task, judge } = episode;
  let current = start;
  let { shown, digest: digested } = known;
  let closed = false;

  const now = (): SessionState<S> => {
    if (closed) throw sessionClosed(task.id);
    return current;
  };
  const screen = (): Screen => {
    const { state } = now();
    const draw = (): Screen => createScreen(drawn(world.app, state));
    return (shown ??= digested === null ? draw() : world.screen(digested, draw));
  };
  const move = (next: SessionState<S>): void => {
    if (next.state !== current.state) shown = null;
    if (next !== current) digested = null;
    current = next;
  };

  return {
    task,
    observe: () => ({ text: screen().text }),
    screen: () => screen().root,
    candidates: () => (now().ending === null ? screenCandidates(screen().root, episode.texts) : []),
    ended: () => (now().ending === null ? null : 'terminated'),
    step(action) {
      const { current: next, outcome } = taken(episode, { current: now(), screen }, action);
      move(next);
      return outcome;
    },
    digest: () => (digested ??= digestOf(now(), world.digest)),
    verify: () => judge.verdict(now(), current.ending),
    snapshot: (): SessionSnapshot<S> => ({ owner: task.id, episode, current: now() }),
    restore(snapshot) {
      now();
      const given = snapshot as SessionSnapshot<S> | null | undefined;
      if (given?.episode !== episode) throw foreignSnapshot(task.id, given?.owner);
      move(given.current);
    },
    fork: () => sessionAt(episode, now(), { shown, digest: digested }),
    state: () => now().state,
    guide: () => ({
      ...judge.unmet(now()),
      clean: judge.sideEffects(current).length === 0,
      finish: judge.finish,
    }),
    close() {
      closed = true;
      shown = null;
    },
  };
}

/** What was worked out about a state already; null for what was not. */
interface Known {
  readonly shown: Screen | null;
  readonly digest: string | null;
}

const nothingKnown: Known = { shown: null, digest: null };

interface Standing<S extends JsonObject> {
  readonly current: SessionState<S>;
  screen(): Screen;
}

interface Taken<S extends JsonObject> {
  readonly current: SessionState<S>;
  readonly outcome: StepOutcome;
}

/** The state that an action leads to. One that cannot be done leads nowhere. */
function taken<S extends JsonObject>(episode: Episode<S>, { current, screen }: Standing<S>, action: Action): Taken<S> {
  const { world, judge } = episode;
  const { app, commands } = world;
  const problem = current.ending === null ? malformation(action) : hasEnded;
  if (problem !== null) return { current, outcome: { applied: false, problem } };
  if (action.kind === 'finish') {
    const ending = { answer: action.answer ?? null, infeasible: action.infeasible === true };
    return { current: { ...current, ending }, outcome: { applied: true, end: 'terminated' } };
  }
  const resolved = resolve(action, { app: app.id, commands, screen });
  if ('problem' in resolved) return { current, outcome: { applied: false, problem: resolved.problem } };
  const { state, outcome: executed } = execute(app, current.state, resolved);
  const outcome = withIncidents(executed, app.incidents?.(current.state, state) ?? []);
  const { evidence } = judge;
  const everything = evidence === null ? 0 : 2 ** evidence.parts - 1;
  const told = evidence?.isTold(current.state, action, outcome) === true ? everything : current.seen;
  if (state === current.state)
    return { current: told === current.seen ? current : { ...current, seen: told }, outcome };
  const byCommand = resolved.command.kind === 'command';
  const hidden = judge.follow(current.hidden, { before: current.state, after: state, byCommand });
  // Looking costs a screen: once everything was seen there is nothing more to see.
  const seen = told === everything ? told : told | (evidence?.shownIn(state) ?? 0);
  return { current: { state: world.settle(state), hidden, seen, ending: null }, outcome };
}

function withIncidents(outcome: StepOutcome, incidents: NonNullable<StepOutcome['incidents']>): StepOutcome {
  return incidents.length === 0 ? outcome : { ...outcome, incidents };
}

/** A state with nothing hidden and nothing seen is named by its state alone. */
function digestOf<S extends JsonObject>({ state, hidden, seen, ending }: SessionState<S>, digest: Digest): string {
  if (ending === null && hidden === nothingHidden && seen === 0) return digest(state);
  return digest({
    state,
    ...(ending === null ? {} : { ending: { ...ending } }),
    ...(hidden === nothingHidden ? {} : { hidden: { ...hidden } }),
    ...(seen === 0 ? {} : { seen }),
  });
}

export const hasEnded = { code: 'ended', message: 'The episode has ended: open the task again or roll back.' };

export function sessionClosed(task: string): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'closed',
    message: `The session of task ${task} is closed.`,
    expected: 'Open the task again.',
  });
}

function foreignSnapshot(task: string, owner: unknown): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'foreign-snapshot',
    message: `A snapshot of task ${String(owner)} from elsewhere was given to a session of task ${task}.`,
    expected: 'Restore a snapshot in the session that took it, or in a fork of it.',
  });
}
