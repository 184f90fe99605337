import type { Action } from './action.ts';
import type { Json, JsonObject } from './json.ts';
import type { Ending, Observation, Split, StepOutcome, Task, TaskKind, Verdict } from './records.ts';
import type { UiNode, UiRole } from './ui.ts';

export type Awaitable<T> = T | Promise<T>;

/** Goes on with a value now, or with a promised one when it is there: wrappers stay synchronous around synchronous things. */
export function after<T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** A value that is there at once: for code that gives values or promises, where it was given no promise. */
export function atOnce<T>(value: Awaitable<T>): T {
  if (value instanceof Promise) throw new TypeError('Expected a value, but a promise came: await it instead.');
  return value;
}

export interface TemplateInfo {
  readonly id: string;
  readonly split: Split;
  /** What the right ending is. A template that is not feasible may make feasible tasks, too: see the kind of the task. */
  readonly kind: TaskKind;
  readonly about: string;
  /** How many tasks it has, where it is a list of tasks. Left out, every seed gives another task. */
  readonly tasks?: number;
}

export interface ToolInfo {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input. */
  readonly input: JsonObject;
}

/** A family of resettable worlds. */
export interface Environment {
  readonly id: string;
  readonly title: string;
  readonly templates: readonly TemplateInfo[];
  readonly tools: readonly ToolInfo[];
  /** False when there is nothing to click or fill: agents call tools, and are offered no actions on a screen. */
  readonly hasScreen?: false;
  /** The agents of its teams, where a world has several: each step says which of them took it. */
  readonly roles?: readonly string[];
  /**
   * Says that states are immutable values in this process, so that a restored state needs no further proof. Left out,
   * what passes is replayed in a fresh session before it is archived, exported or counted.
   */
  readonly certification?: 'by-construction';
  /** Says that a fork is a whole session and costs next to nothing, so that a strategy may hold several at once. */
  readonly lightForks?: true;
  /** The instance of a template that this seed gives; always the same. */
  task(template: string, seed: number): Awaitable<Task>;
  open(task: Task): Awaitable<Session>;
  /**
   * Opens the same, where that is quicker: in a page that an earlier session has left, put back to its start. For searches,
   * whose paths are proven in sessions of `open`.
   */
  openWarm?(task: Task): Awaitable<Session>;
  /** Ends what it keeps running, such as a browser. */
  close?(): Awaitable<void>;
}

/** A point to come back to. Opaque: only the session family that made it can read it. */
export interface Snapshot {
  readonly owner: string;
}

/** An action on offer, with what a policy may know of the element it acts on. */
export interface Candidate {
  readonly action: Action;
  readonly role?: UiRole;
  readonly name?: string;
  readonly value?: string;
  /** Names of the elements around it, from the outside in. */
  readonly within?: readonly string[];
}

/** How an episode ended: its agent finished, or it was cut short. */
export type SessionEnd = NonNullable<StepOutcome['end']>;

/**
 * What a screen looks like: the hash of a picture of it. Where something in it follows the real clock, no picture can be
 * compared, and `moving` says what it is.
 */
export type Appearance = { readonly picture: string } | { readonly moving: string };

/** What a fork is for. */
export interface ForkOptions {
  /**
   * To try things out: it may go back without proof that everything is as it was. Whatever is found there counts only once
   * it was found again in a session with proof. Forks of it are the same.
   */
  readonly unchecked?: boolean;
}

/** What every session can do. */
export interface BasicPowers {
  readonly task: Task;
  observe(): Awaitable<Observation>;
  /** A bad action is an outcome, not an exception: the state stays as it was. */
  step(action: Action): Awaitable<StepOutcome>;
  digest(): Awaitable<string>;
  verify(): Awaitable<Verdict>;
  close(): Awaitable<void>;
}

/** Their names. */
export const basicPowers = [
  'task',
  'observe',
  'step',
  'digest',
  'verify',
  'close',
] as const satisfies readonly (keyof BasicPowers)[];

/** Going back. Where there is no snapshot, a trail replays the path. */
interface RollbackPowers {
  snapshot(): Awaitable<Snapshot>;
  restore(snapshot: Snapshot): Awaitable<void>;
  fork(options?: ForkOptions): Awaitable<Session>;
}

/** What can be done next, and by whom. */
interface TurnPowers {
  candidates(): Awaitable<readonly Candidate[]>;
  /** How the episode has ended in this state; null while steps can be taken. */
  ended(): Awaitable<SessionEnd | null>;
  /** The agent of a team whose turn it is, where a world has several. */
  role(): Awaitable<string>;
}

/** What a replay is compared by, beside the digest. */
interface ProofPowers {
  /** Privileged: all that the verifier reads, as JSON: the same text means the same verdict, unless somebody tampered with the page. */
  judgedState(): Awaitable<string>;
  /** For worlds that are drawn: a replay must look the same. */
  appearance(): Awaitable<Appearance>;
  /** What is known to differ from session to session, in words; told where a replay differs. */
  unsteady(): Awaitable<string | null>;
}

/** What somebody needs who takes the same steps in a program of their own. */
interface OutsidePowers {
  /** What decides how the world goes on, beside the steps: clock, chance, window. */
  conditions(): Awaitable<JsonObject>;
  /** Where any program finds the element that an action names; null where it names none, or one that only we reach. */
  locator(action: Action): Awaitable<string | null>;
}

/** Knowing the way. */
interface OraclePowers {
  /** Privileged: steps that solve the task from its start, the finish included, where it was made together with a solution. */
  solution(): Awaitable<readonly Action[]>;
}

/** An open world. Every power besides the basic ones is optional. */
export interface Session
  extends BasicPowers,
    Partial<RollbackPowers>,
    Partial<TurnPowers>,
    Partial<ProofPowers>,
    Partial<OutsidePowers>,
    Partial<OraclePowers> {
  /** For worlds that run programs: `step` and `verify` without blocking this thread. Episodes use these. */
  readonly background?: BackgroundVerbs;
}

export interface BackgroundVerbs {
  step(action: Action): Promise<StepOutcome>;
  verify(): Promise<Verdict>;
}

/** The verbs of a session for callers that can wait: no other session is held up meanwhile. */
export function waitingVerbs(session: Session): Pick<Session, 'step' | 'verify'> {
  return session.background ?? { step: action => session.step(action), verify: () => session.verify() };
}

/** What privileged state says of the way to the goal. */
export interface Guide {
  /** Goals not yet met, evidence that was not seen included; 0 means that `finish` would pass. */
  readonly unmet: number;
  /** Checks that do not hold yet, also where they never can. */
  readonly unmetChecks: number;
  /** False when something was changed that the task does not allow. */
  readonly clean: boolean;
  readonly finish: Action;
  /** The next step of a way that the environment works out itself; a planner then follows it and does not search. */
  readonly next?: Action;
  /** The next step where only actions on the screen are offered. */
  readonly nextOnScreen?: Action;
}

/** Looking at the state itself. Privileged: never for a policy that does not say so in its type. */
export interface StatePowers {
  screen(): UiNode;
  state(): Json;
  guide(): Guide;
}

/** A session whose state is immutable JSON in this process: every power, synchronously. */
export interface StateSession extends Session, StatePowers {
  observe(): Observation;
  step(action: Action): StepOutcome;
  digest(): string;
  verify(): Verdict;
  close(): void;
  snapshot(): Snapshot;
  restore(snapshot: Snapshot): void;
  fork(options?: ForkOptions): StateSession;
  candidates(): readonly Candidate[];
  ended(): SessionEnd | null;
}

/** Whether a session shows its state, and forks. */
export function isStateSession(session: Session): session is StateSession {
  return ['fork', 'state', 'guide', 'screen', 'ended'].every(power => power in session);
}

/**
 * The verifier of one task, apart from any session: a pure function of the state reached and of the ending. It knows no
 * path, so it takes the evidence for the ending as seen.
 */
export interface Verifier {
  verify(final: Json, ending: Ending | null): Verdict;
  readonly initial: Json;
  /** Patterns of the paths that the task may change. */
  readonly allow: readonly string[];
  /** Patterns of the paths that looking around may change. */
  readonly incidental: readonly string[];
}

export interface StateEnvironment extends Environment {
  task(template: string, seed: number): Task;
  open(task: Task): StateSession;
  verifier(task: Task): Verifier;
}

/** Every member by name: wrappers pass on what stands here, so the compiler asks for one that is missing. */
export const environmentMembers = {
  id: true,
  title: true,
  templates: true,
  tools: true,
  hasScreen: true,
  roles: true,
  certification: true,
  lightForks: true,
  task: true,
  open: true,
  openWarm: true,
  close: true,
  verifier: true,
} as const satisfies Record<keyof StateEnvironment, true>;

export type Plan =
  | {
      readonly outcome: 'solved';
      readonly actions: readonly Action[];
      readonly cost: number;
      readonly expanded: number;
    }
  | ({
      readonly outcome: 'infeasible-within-budget' | 'goal-unreachable';
      readonly expanded: number;
    } & PlanObstacles);

export interface PlanObstacles {
  /** Paths that were changed, though not allowed, in the first state that met every goal all the same. */
  readonly sideEffects?: readonly string[];
  /** Paths that change on the way to the first state that met every goal, and are put back by then. */
  readonly midway?: readonly string[];
}

/** A privileged solver: it forks the session, and reads its state and its goals. */
export interface Planner {
  readonly privileged: true;
  /** The shortest way it found from here to a passing finish. The session itself is left as it is. */
  plan(session: StateSession): Plan;
  /** Steps left to a passing finish, the finish included; null when no way was found. Remembered by digest. */
  costToGo(session: StateSession): number | null;
  /** The first of those steps; null when no way was found, or when the episode has ended. */
  nextAction(session: StateSession): Action | null;
  /** What stands in the way where no plan was found: a second search, which follows side effects. */
  obstacles?(session: StateSession): PlanObstacles;
}
