/** Time as a value: milliseconds since some fixed moment. */
export interface Clock {
  now(): number;
}

/** Runs something after a while, unless it is cancelled before. */
export interface Timers {
  after(milliseconds: number, run: () => void): () => void;
}

export interface ManualClock extends Clock {
  advance(milliseconds: number): void;
}

export function createManualClock(start = 0): ManualClock {
  let now = start;
  return {
    now: () => now,
    advance(milliseconds) {
      now += milliseconds;
    },
  };
}

export interface TimeLimit {
  readonly timers: Timers;
  /** Infinity for no limit. */
  readonly milliseconds: number;
  /** Called when the time is over: what to reject with. */
  late(): unknown;
  /** When it is raised, nothing is waited for any more. */
  readonly signal?: AbortSignal | undefined;
  /** Called when the signal was raised: what to reject with; its reason when left out. */
  stopped?(): unknown;
}

/** The answer, unless it takes too long or is not waited for any more: one that comes later is not heard. */
export function inTime<T>(answer: PromiseLike<T>, limit: TimeLimit): Promise<T> {
  const { timers, milliseconds, late, signal, stopped = () => signal?.reason } = limit;
  return new Promise((resolve, reject) => {
    const stop = (): void => settle(() => reject(stopped()));
    const cancel = milliseconds === Infinity ? null : timers.after(milliseconds, () => settle(() => reject(late())));
    const settle = (how: () => void): void => {
      cancel?.();
      signal?.removeEventListener('abort', stop);
      how();
    };
    if (signal?.aborted === true) stop();
    else signal?.addEventListener('abort', stop);
    answer.then(
      value => settle(() => resolve(value)),
      (cause: unknown) => settle(() => reject(cause)),
    );
  });
}
