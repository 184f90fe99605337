import {
  after,
  type Awaitable,
  type BasicPowers,
  type ForkOptions,
  type Session,
  type StatePowers,
} from './contracts.ts';
import type { StepOutcome } from './records.ts';

/** A session that may show its state. */
export type AnySession = Session & Partial<StatePowers>;

type Verb = Exclude<keyof AnySession, 'task' | 'background'>;
type Forked<S extends AnySession> = Awaited<ReturnType<NonNullable<S['fork']>>>;

/** Powers that a wrapper changes: each is given what it was and returns what it becomes. */
type Changes<S extends AnySession> = {
  readonly [P in Exclude<keyof S & keyof AnySession, 'step' | 'verify' | 'fork' | 'background'>]?: (
    inner: NonNullable<S[P]>,
  ) => NonNullable<S[P]>;
};

/** What a wrapper does to a session. Powers that it does not name are passed on, and those that the session lacks stay absent. */
export type SessionWrapper<S extends AnySession = Session> = Changes<S> & {
  /** What becomes of a fork: wrapped as well, or left as it is. The session gets the options of the fork in any case. */
  forked(fork: Forked<S>): Forked<S>;
  /** Also changes the step of `background`, so what it is given may return a promise. */
  step?(take: Session['step']): Session['step'];
  /** Like `step`. */
  verify?(ask: Session['verify']): Session['verify'];
  /** Stands around every verb. */
  around?<T>(verb: Verb, ask: () => Awaitable<T>): Awaitable<T>;
};

/** The same session with some powers changed. What shows its state is not passed on. */
export function wrapSession(session: Session, wrapper: SessionWrapper): Session {
  return wrapped(session, wrapper, powersOfSession);
}

/** Like `wrapSession`, for wrappers that agents with privileged access look through. */
export function wrapStateSession<S extends AnySession>(session: S, wrapper: SessionWrapper<S>): S {
  return wrapped(session, wrapper as unknown as Wrapper, allPowers) as S;
}

/** An outcome that a wrapper made up: the world, which says whose step it was, never saw it. */
export function withRole(session: Session, outcome: StepOutcome): Awaitable<StepOutcome> {
  if (session.role === undefined) return outcome;
  return after(session.role(), role => ({ ...outcome, role }));
}

type Wrapper = SessionWrapper<AnySession>;
type Made = { -readonly [P in keyof AnySession]: AnySession[P] };
type PassOn = (from: AnySession, how: Wrapper, to: Made) => void;

function wrapped(from: AnySession, how: Wrapper, powers: readonly PassOn[]): AnySession {
  // Verbs are bound, as a session may be an object of a class.
  const to: Made = {
    task: (how.task ?? same)(from.task),
    observe: guarded(how, 'observe', (how.observe ?? same)(from.observe.bind(from))),
    step: guarded(how, 'step', (how.step ?? same)(from.step.bind(from))),
    digest: guarded(how, 'digest', (how.digest ?? same)(from.digest.bind(from))),
    verify: guarded(how, 'verify', (how.verify ?? same)(from.verify.bind(from))),
    close: guarded(how, 'close', (how.close ?? same)(from.close.bind(from))),
  };
  for (const pass of powers) pass(from, how, to);
  return to;
}

// Records with a member for every optional power: one that is added to the contract does not compile until it stands here.
// Each is written out, as forks are wrapped often and a loop over names takes four times as long.
const optionalPowers: { readonly [P in Exclude<keyof Session, keyof BasicPowers>]: PassOn } = {
  snapshot(from, how, to) {
    if (from.snapshot === undefined) return;
    to.snapshot = guarded(how, 'snapshot', (how.snapshot ?? same)(from.snapshot.bind(from)));
  },
  restore(from, how, to) {
    if (from.restore === undefined) return;
    to.restore = guarded(how, 'restore', (how.restore ?? same)(from.restore.bind(from)));
  },
  fork(from, how, to) {
    if (from.fork === undefined) return;
    const fork = guarded(how, 'fork', from.fork.bind(from));
    to.fork = (options?: ForkOptions) => after(fork(options), how.forked);
  },
  candidates(from, how, to) {
    if (from.candidates === undefined) return;
    to.candidates = guarded(how, 'candidates', (how.candidates ?? same)(from.candidates.bind(from)));
  },
  ended(from, how, to) {
    if (from.ended === undefined) return;
    to.ended = guarded(how, 'ended', (how.ended ?? same)(from.ended.bind(from)));
  },
  role(from, how, to) {
    if (from.role === undefined) return;
    to.role = guarded(how, 'role', (how.role ?? same)(from.role.bind(from)));
  },
  judgedState(from, how, to) {
    if (from.judgedState === undefined) return;
    to.judgedState = guarded(how, 'judgedState', (how.judgedState ?? same)(from.judgedState.bind(from)));
  },
  appearance(from, how, to) {
    if (from.appearance === undefined) return;
    to.appearance = guarded(how, 'appearance', (how.appearance ?? same)(from.appearance.bind(from)));
  },
  unsteady(from, how, to) {
    if (from.unsteady === undefined) return;
    to.unsteady = guarded(how, 'unsteady', (how.unsteady ?? same)(from.unsteady.bind(from)));
  },
  conditions(from, how, to) {
    if (from.conditions === undefined) return;
    to.conditions = guarded(how, 'conditions', (how.conditions ?? same)(from.conditions.bind(from)));
  },
  locator(from, how, to) {
    if (from.locator === undefined) return;
    to.locator = guarded(how, 'locator', (how.locator ?? same)(from.locator.bind(from)));
  },
  solution(from, how, to) {
    if (from.solution === undefined) return;
    to.solution = guarded(how, 'solution', (how.solution ?? same)(from.solution.bind(from)));
  },
  background(from, how, to) {
    const { background } = from;
    if (background === undefined) return;
    const step = guarded(how, 'step', (how.step ?? same)(background.step.bind(background)));
    const verify = guarded(how, 'verify', (how.verify ?? same)(background.verify.bind(background)));
    to.background = { step: async action => step(action), verify: async () => verify() };
  },
};

const optionalStatePowers: { readonly [P in keyof StatePowers]: PassOn } = {
  screen(from, how, to) {
    if (from.screen === undefined) return;
    to.screen = guarded(how, 'screen', (how.screen ?? same)(from.screen.bind(from)));
  },
  state(from, how, to) {
    if (from.state === undefined) return;
    to.state = guarded(how, 'state', (how.state ?? same)(from.state.bind(from)));
  },
  guide(from, how, to) {
    if (from.guide === undefined) return;
    to.guide = guarded(how, 'guide', (how.guide ?? same)(from.guide.bind(from)));
  },
};

const powersOfSession: readonly PassOn[] = Object.values(optionalPowers);
const allPowers: readonly PassOn[] = [...powersOfSession, ...Object.values(optionalStatePowers)];

function same<T>(verb: T): T {
  return verb;
}

/** Asked through `around`, the answer comes as it would without: at once, or promised. */
function guarded<F extends (...given: never) => unknown>({ around }: Wrapper, name: Verb, verb: F): F {
  if (around === undefined) return verb;
  return ((...given: never) => around(name, () => verb(...given))) as F;
}
