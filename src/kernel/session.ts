import { create } from 'mutative';
import type { Action } from '../core/action.ts';
import { actionSchema } from '../core/action.ts';
import type { Snapshot, StateSession } from '../core/contracts.ts';
import type { Digest } from '../core/digest.ts';
import { causeText, EspalierError, Refusal } from '../core/errors.ts';
import type { Json, JsonObject } from '../core/json.ts';
import { describeIssues, type Ending, type Problem, type StepOutcome, type Task } from '../core/records.ts';
import { createScreen, elementAt, type Intent, type Screen, type UiNode } from '../core/ui.ts';
import type { App } from './app.ts';
import type { AppCommand } from './command.ts';
import type { Judge } from './goal.ts';
import { screenCandidates, viewFailed } from './screen.ts';

/** What all sessions of one world share. */
export interface World<S extends JsonObject> {
  readonly app: App<S>;
  readonly commands: ReadonlyMap<string, AppCommand<S>>;
  readonly digest: Digest;
}

/** What all forks of one episode share. */
export interface Episode<S extends JsonObject> {
  readonly world: World<S>;
  readonly task: Task;
  readonly judge: Judge<S>;
  /** Task parameters that the instruction names: what an agent may type. */
  readonly texts: readonly string[];
}

/** Everything that makes one moment of a session differ from another. Immutable. */
interface Moment<S extends JsonObject> {
  readonly state: S;
  readonly ending: Ending | null;
}

interface MomentSnapshot<S extends JsonObject> extends Snapshot {
  readonly moment: Moment<S>;
}

export function createSession<S extends JsonObject>(episode: Episode<S>, start: S): StateSession {
  return sessionAt(episode, { state: start, ending: null }, null);
}

function sessionAt<S extends JsonObject>(
  episode: Episode<S>,
  start: Moment<S>,
  shownAtStart: Screen | null,
): StateSession {
  const { world, task, judge } = episode;
  let moment = start;
  let shown = shownAtStart;
  let closed = false;

  const now = (): Moment<S> => {
    if (closed) throw sessionClosed(task.id);
    return moment;
  };
  const screen = (): Screen => (shown ??= createScreen(drawn(world.app, now().state)));
  const move = (next: Moment<S>): void => {
    if (next.state !== moment.state) shown = null;
    moment = next;
  };

  return {
    task,
    observe: () => (closed ? now() : null, { text: screen().text }),
    screen: () => screen().root,
    candidates: () => (now().ending === null ? screenCandidates(screen().root, episode.texts) : []),
    step(action) {
      const { state, ending } = now();
      if (ending !== null) return rejected('ended', 'The episode has ended: open the task again or roll back.');
      if (typeof action !== 'object' || action === null) return notAnAction(action);
      if (action.kind === 'finish') return finish(action, ended => move({ state, ending: ended }));
      const resolved = resolve(world, action, screen);
      if ('problem' in resolved) return { applied: false, problem: resolved.problem };
      const result = execute(world.app, state, resolved);
      move({ state: result.state, ending: null });
      return result.outcome;
    },
    digest() {
      const { state, ending } = now();
      return ending === null ? world.digest(state) : world.digest({ state, ending: { ...ending } });
    },
    verify: () => judge.verdict(now().state, moment.ending),
    snapshot: (): MomentSnapshot<S> => ({ owner: task.id, moment: now() }),
    restore(snapshot) {
      now();
      if (snapshot.owner !== task.id || !('moment' in snapshot)) throw foreignSnapshot(task.id, snapshot.owner);
      move((snapshot as MomentSnapshot<S>).moment);
    },
    fork: () => sessionAt(episode, now(), shown),
    state: () => now().state,
    guide: () => ({
      unmet: judge.unmet(now().state),
      clean: judge.trespasses(moment.state).length === 0,
      finish: judge.finish,
    }),
    close() {
      closed = true;
      shown = null;
    },
  };
}

function drawn<S extends JsonObject>(app: App<S>, state: S): UiNode {
  try {
    return app.view(state);
  } catch (cause) {
    throw viewFailed(app.id, cause);
  }
}

function finish(action: Action & { kind: 'finish' }, end: (ending: Ending) => void): StepOutcome {
  const malformed = malformation(action);
  if (malformed !== null) return { applied: false, problem: malformed };
  end({ answer: action.answer ?? null, infeasible: action.infeasible === true });
  return { applied: true, end: 'terminated' };
}

interface Resolved<S extends JsonObject> {
  readonly command: AppCommand<S>;
  readonly input: JsonObject;
  readonly byHand: boolean;
}

type Resolution<S extends JsonObject> = Resolved<S> | { readonly problem: Problem };

/** Finds the command that an action stands for, and its input. */
function resolve<S extends JsonObject>(
  world: World<S>,
  action: Exclude<Action, { kind: 'finish' }>,
  screen: () => Screen,
): Resolution<S> {
  if (action.kind === 'call') return resolveCall(world, action);
  if (typeof action.ref !== 'string') return { problem: malformation(action) ?? unknownElement('', screen()) };
  const element = elementAt(screen(), action.ref);
  if (element === undefined) return { problem: malformation(action) ?? unknownElement(action.ref, screen()) };
  const intent = action.kind === 'click' ? element.press : element.enter;
  if (intent === undefined) return { problem: wrongGesture(action, element) };
  const command = commandOf(world, intent);
  if (action.kind === 'click') return { command, input: intent.input, byHand: true };
  const value = action.kind === 'fill' ? action.text : action.option;
  if (typeof value !== 'string') return { problem: malformation(action) ?? wrongGesture(action, element) };
  if (element.options !== undefined && !element.options.includes(value))
    return { problem: wrongOption(value, element) };
  return { command, input: { ...intent.input, value }, byHand: true };
}

function resolveCall<S extends JsonObject>(world: World<S>, action: Action & { kind: 'call' }): Resolution<S> {
  const command = world.commands.get(action.tool);
  if (command === undefined || command.kind === 'gesture') {
    const malformed = malformation(action);
    if (malformed !== null) return { problem: malformed };
    const tools = [...world.commands.values()].filter(known => known.kind !== 'gesture').map(known => known.name);
    const message = `There is no tool "${action.tool}". Tools: ${tools.join(', ')}.`;
    return { problem: { code: 'unknown-command', message } };
  }
  return { command, input: action.input, byHand: false };
}

interface Executed<S extends JsonObject> {
  readonly state: S;
  readonly outcome: StepOutcome;
}

function execute<S extends JsonObject>(app: App<S>, state: S, resolved: Resolved<S>): Executed<S> {
  const { command, byHand } = resolved;
  const parsed = command.parse(resolved.input);
  if ('problem' in parsed) return refused(app, state, { code: 'invalid-action', message: parsed.problem, byHand });
  const { input } = parsed;
  let result: Json | undefined;
  try {
    if (command.kind === 'query')
      return { state, outcome: { applied: true, result: command.run(state, input) as Json } };
    const next = create(state, draft => {
      const returned = command.run(draft as S, input) ?? undefined;
      // A result may hold pieces of the draft, which dies with this call.
      result = typeof returned === 'object' ? (JSON.parse(JSON.stringify(returned)) as Json) : returned;
    });
    return { state: next as S, outcome: result === undefined ? { applied: true } : { applied: true, result } };
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw commandFailed(app.id, command.name, cause);
    return refused(app, state, { code: 'refused', message: cause.message, byHand });
  }
}

interface No {
  readonly code: string;
  readonly message: string;
  readonly byHand: boolean;
}

/** A tool call is told no; someone at the screen sees it there, if the app shows it. */
function refused<S extends JsonObject>(app: App<S>, state: S, { code, message, byHand }: No): Executed<S> {
  const { onRefusal } = app;
  if (!byHand || onRefusal === null) return { state, outcome: rejected(code, message) };
  const told = create(state, draft => onRefusal(draft as S, message));
  return { state: told as S, outcome: { applied: true, problem: { code, message } } };
}

function rejected(code: string, message: string): StepOutcome {
  return { applied: false, problem: { code, message } };
}

function notAnAction(action: Action): StepOutcome {
  return {
    applied: false,
    problem: malformation(action) ?? { code: 'invalid-action', message: 'That is not an action.' },
  };
}

/** Why a value that came from outside is no action at all. */
function malformation(action: Action): Problem | null {
  const parsed = actionSchema.safeParse(action);
  if (parsed.success) return null;
  return { code: 'invalid-action', message: `That is not an action: ${describeIssues(parsed.error)}.` };
}

function unknownElement(ref: string, screen: Screen): Problem {
  const message = `There is no element ${ref}: this screen has e1 to e${screen.elements.length}.`;
  return { code: 'unknown-element', message };
}

function wrongGesture(action: Exclude<Action, { kind: 'finish' | 'call' }>, element: UiNode): Problem {
  const takes = element.press === undefined ? (element.options === undefined ? 'fill' : 'select') : 'click';
  const message = `${action.ref} is a ${element.role} "${element.name ?? ''}": it takes ${takes}, not ${action.kind}.`;
  return { code: 'invalid-action', message };
}

function wrongOption(option: string, element: UiNode): Problem {
  const offered = (element.options ?? []).join(', ');
  return { code: 'invalid-action', message: `"${option}" is not offered by "${element.name ?? ''}": ${offered}.` };
}

function commandOf<S extends JsonObject>(world: World<S>, intent: Intent): AppCommand<S> {
  const command = world.commands.get(intent.command);
  if (command !== undefined) return command;
  throw new EspalierError({
    boundary: 'environment',
    code: 'unknown-command',
    message: `The view of app "${world.app.id}" dispatches "${intent.command}", which is not one of its commands.`,
    expected: `Add it to the app's commands: [${[...world.commands.keys()].join(', ')}].`,
  });
}

function commandFailed(app: string, command: string, cause: unknown): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'command-failed',
    message: `Command "${command}" of app "${app}" threw: ${causeText(cause)}.`,
    expected: 'Expected it to handle every input its schema allows; say no with refuse("why").',
    cause,
  });
}

function sessionClosed(task: string): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'closed',
    message: `The session of task ${task} is closed.`,
    expected: 'Open the task again.',
  });
}

function foreignSnapshot(task: string, owner: string): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'foreign-snapshot',
    message: `A snapshot of task ${owner} was given to a session of task ${task}.`,
    expected: 'Restore a snapshot in the session that took it, or in a fork of it.',
  });
}
