import { isAction, type Action } from '../../core/action.ts';
import {
  after,
  atOnce,
  type Awaitable,
  type BackgroundVerbs,
  type Candidate,
  type Guide,
  type Snapshot,
  type StateSession,
} from '../../core/contracts.ts';
import type { Digest } from '../../core/digest.ts';
import { EspalierError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Ending, StepOutcome, Task, Verdict } from '../../core/records.ts';
import { createScreen, type Intent, type UiNode } from '../../core/ui.ts';
import { intentAt } from '../resolve.ts';
import { longestAnswer } from '../verdict/answer-dress.ts';

/** A state and what became of a step: the same state when the step was refused. */
export interface Move<S> {
  readonly state: S;
  readonly outcome: StepOutcome;
}

/** A world as pure functions of an immutable state. All sessions of a task share one. */
export interface Rules<S extends JsonObject> {
  readonly task: Task;
  readonly initial: S;
  readonly digest: Digest;
  /** What the agent finishes with, where it is more than a short answer. */
  readonly answer?: { readonly noun: string; readonly longest: number };
  /** Carries out a tool call. */
  call(state: S, tool: string, input: JsonObject): Move<S>;
  /** Carries out what an element of the screen dispatches; left out where nothing on it can be used. */
  press?(state: S, intent: Intent): Move<S>;
  /** Why the agent may not finish in this state; left out where it always may. */
  finishRefusal?(state: S): string | null;
  screen(state: S): UiNode;
  candidates(state: S): readonly Candidate[];
  verdict(state: S, ending: Ending | null): Verdict;
  /** Asked while the episode goes on. */
  guide(state: S): Guide;
  /** The agent of a team whose turn it is. */
  role?(state: S): string;
  /** For rules that run programs: the same without blocking this thread. */
  readonly background?: {
    call(state: S, tool: string, input: JsonObject): Promise<Move<S>>;
    verdict(state: S, ending: Ending | null): Promise<Verdict>;
  };
}

interface Moment<S> {
  readonly state: S;
  readonly ending: Ending | null;
}

interface RuleSnapshot<S extends JsonObject> extends Snapshot {
  readonly rules: Rules<S>;
  readonly moment: Moment<S>;
}

/** A session in which agents call tools and finish with an answer. Forks and snapshots copy nothing. */
export function createRuleSession<S extends JsonObject>(
  rules: Rules<S>,
  start: Moment<S> = { state: rules.initial, ending: null },
): StateSession {
  const { task, digest } = rules;
  let moment = start;
  let isClosed = false;
  const now = (): Moment<S> => {
    if (isClosed) throw closed(task.id);
    return moment;
  };
  const screen = (): UiNode => rules.screen(now().state);
  const step = (action: Action, caller: Caller<S>): Awaitable<StepOutcome> =>
    after(taken({ rules, caller }, now(), action), ({ next, outcome }) => {
      moment = next;
      return outcome;
    });
  const { background } = rules;
  const inBackground = (caller: NonNullable<typeof background>): BackgroundVerbs => ({
    step: async action => step(action, caller),
    verify: async () => caller.verdict(now().state, moment.ending),
  });
  return {
    task,
    screen,
    observe: () => ({ text: createScreen(screen()).text }),
    candidates: () => (now().ending === null ? rules.candidates(moment.state) : []),
    ended: () => (now().ending === null ? null : 'terminated'),
    step: action => atOnce(step(action, rules)),
    digest: () => digest({ ...now().state, ...(moment.ending === null ? {} : { ending: { ...moment.ending } }) }),
    verify: () => rules.verdict(now().state, moment.ending),
    ...(background === undefined ? {} : { background: inBackground(background) }),
    snapshot: (): RuleSnapshot<S> => ({ owner: task.id, rules, moment: now() }),
    restore(snapshot) {
      now();
      const given = snapshot as RuleSnapshot<S> | null | undefined;
      if (given?.rules !== rules) throw foreignSnapshot(task.id);
      moment = given.moment;
    },
    fork: () => createRuleSession(rules, now()),
    state: () => now().state,
    ...(rules.role === undefined ? {} : { role: () => (rules.role as (state: S) => string)(now().state) }),
    guide() {
      const { state, ending } = now();
      const guide = rules.guide(state);
      return ending === null ? guide : { ...guide, unmet: Math.max(1, guide.unmet) };
    },
    close() {
      isClosed = true;
    },
  };
}

interface Taken<S> {
  readonly next: Moment<S>;
  readonly outcome: StepOutcome;
}

/** Who carries out tool calls: the rules themselves, or their background. */
interface Caller<S> {
  call(state: S, tool: string, input: JsonObject): Awaitable<Move<S>>;
}

interface Called<S extends JsonObject> {
  readonly rules: Rules<S>;
  readonly caller: Caller<S>;
}

function taken<S extends JsonObject>(called: Called<S>, moment: Moment<S>, action: Action): Awaitable<Taken<S>> {
  const role = called.rules.role?.(moment.state);
  return after(carriedOut(called, moment, action), ({ next, outcome }) => ({
    next,
    outcome: role === undefined ? outcome : { ...outcome, role },
  }));
}

function carriedOut<S extends JsonObject>(
  { rules, caller }: Called<S>,
  moment: Moment<S>,
  action: Action,
): Awaitable<Taken<S>> {
  const refuse = (code: string, message: string): Taken<S> => ({ next: moment, outcome: refusal(code, message) });
  const { noun = null, longest = longestAnswer } = rules.answer ?? {};
  if (moment.ending !== null) return refuse('ended', 'The episode has ended: open the task again or roll back.');
  if (!isAction(action))
    return refuse('invalid-action', `Expected a tool call, or finish with ${noun ?? 'an answer'}.`);
  if (action.kind === 'call')
    return after(caller.call(moment.state, action.tool, action.input), ({ state, outcome }) => ({
      next: state === moment.state ? moment : { state, ending: null },
      outcome,
    }));
  if (rules.press !== undefined && (action.kind === 'click' || action.kind === 'fill' || action.kind === 'select')) {
    const intent = intentAt(action, createScreen(rules.screen(moment.state)));
    if ('problem' in intent) return refuse(intent.problem.code, intent.problem.message);
    const { state, outcome } = rules.press(moment.state, intent);
    return { next: state === moment.state ? moment : { state, ending: null }, outcome };
  }
  if (action.kind !== 'finish')
    return refuse(
      'unknown-element',
      `There is nothing to ${action.kind}: call a tool, or finish with ${noun ?? 'the answer'}.`,
    );
  const { answer = null, infeasible = false } = action;
  if (answer !== null && answer.length > longest)
    return refuse('answer-too-long', `Expected at most ${longest} characters, but there are ${answer.length}.`);
  const reason = rules.finishRefusal?.(moment.state) ?? null;
  if (reason !== null) return refuse('not-allowed', reason);
  return { next: { ...moment, ending: { answer, infeasible } }, outcome: { applied: true, end: 'terminated' } };
}

export function refusal(code: string, message: string): StepOutcome {
  return { applied: false, problem: { code, message } };
}

function closed(task: string): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'closed',
    message: `The session of task ${task} is closed.`,
    expected: 'Open the task again.',
  });
}

function foreignSnapshot(task: string): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'foreign-snapshot',
    message: `A snapshot from elsewhere was given to a session of task ${task}.`,
    expected: 'Restore a snapshot in the session that took it, or in a fork of it.',
  });
}
