import { inTime, type Timers } from '../../core/clock.ts';
import type { Awaitable } from '../../core/contracts.ts';
import { causeText, EspalierError, type Boundary } from '../../core/errors.ts';
import { BudgetError, type Budget } from './budget.ts';

/** Whoever is waited for. */
export interface Responder {
  readonly boundary: Exclude<Boundary, 'input' | 'store' | 'budget'>;
  /** `The student "random"`: how errors call it. */
  readonly who: string;
  /** Has deadlines of its own. */
  readonly isPatient?: boolean;
}

/** Asks a party for something: whatever goes wrong, or takes too long, becomes an error at its boundary. */
export type Guard = <T>(party: Responder, ask: () => Awaitable<T>) => Awaitable<T>;

export interface GuardOptions {
  readonly budget: Budget;
  readonly timers: Timers;
  /** When it is raised, nothing is waited for any more. */
  readonly signal: AbortSignal;
  /** Told whose code runs: who is asked, then again who asked. Null for nobody: the strategy. */
  onAsk?: ((party: Responder | null) => void) | undefined;
}

export function createGuard(options: GuardOptions): Guard {
  const { onAsk } = options;
  /** Whose code is running: an agent may ask the world in between. */
  let running: Responder | null = null;
  const enter = (party: Responder | null): void => {
    running = party;
    onAsk?.(party);
  };
  return (party, ask) => {
    const asker = running;
    enter(party);
    let isPending = false;
    try {
      const answer = ask();
      // What is there already needs no timer: this is the path that most steps take.
      if (!isPromise(answer)) return answer;
      isPending = true;
      const answered = answerInTime(answer, party, options);
      return onAsk === undefined ? answered : answered.finally(() => enter(null));
    } catch (cause) {
      throw blame(cause, party);
    } finally {
      if (!isPending) enter(asker);
    }
  };
}

function isPromise<T>(value: Awaitable<T>): value is Promise<T> {
  return typeof (value as Partial<Promise<T>> | null | undefined)?.then === 'function';
}

/** Within the time that a single answer and the episode have. */
function answerInTime<T>(answer: Promise<T>, party: Responder, { budget, timers, signal }: GuardOptions): Promise<T> {
  const waitMilliseconds = party.isPatient === true ? Infinity : budget.limits.waitMilliseconds;
  const left = Math.max(0, budget.millisecondsLeft());
  const milliseconds = Math.min(waitMilliseconds, left);
  const blamed = answer.then(undefined, (cause: unknown) => {
    throw blame(cause, party);
  });
  return inTime(blamed as Promise<T>, {
    timers,
    milliseconds,
    signal,
    late: () =>
      left < waitMilliseconds ? new BudgetError('time', budget.limits.milliseconds) : tooLate(party, milliseconds),
    stopped: () => stopped(signal),
  });
}

/** Keeps an error that names its side already; anything else is the doing of the party that was asked. */
export function blame(cause: unknown, { boundary, who }: Responder): EspalierError {
  if (cause instanceof EspalierError && keepsBlame(cause.boundary, boundary)) return cause;
  return new EspalierError({
    boundary,
    code: 'threw',
    message: `${who} threw: ${causeText(cause)}${/[.!?]$/.test(causeText(cause)) ? '' : '.'}`,
    expected: 'Expected an answer, or an answer that says why there is none.',
    cause,
  });
}

/** An agent that works on a fork may hit a broken world: that is not its own fault. */
function keepsBlame(named: Boundary, asked: Boundary): boolean {
  return named === asked || named === 'environment' || named === 'verifier' || named === 'budget';
}

function tooLate({ boundary, who }: Responder, milliseconds: number): EspalierError {
  return new EspalierError({
    boundary,
    code: 'deadline',
    message: `${who} did not answer in ${milliseconds} ms.`,
    expected: 'Raise waitMilliseconds if it needs longer.',
  });
}

function stopped(signal: AbortSignal): Error {
  return new Error('The run was stopped.', { cause: signal.reason });
}
