import type { Awaitable } from '../../core/contracts.ts';

/** Runs one job; null when its client has left. */
export type Turns = <T>(work: () => Awaitable<T>, signal: AbortSignal) => Promise<T | null>;

/**
 * Runs jobs one after another, and lets sockets be read between them: a job whose client hung up while it waited never
 * starts.
 */
export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return (work, signal) => {
    const mine = last.then(async () => {
      await new Promise(resolve => setImmediate(resolve));
      return signal.aborted ? null : work();
    });
    last = mine.catch(() => undefined);
    return mine;
  };
}
