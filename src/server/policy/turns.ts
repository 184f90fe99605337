import type { Awaitable } from '../../core/contracts.ts';

/** Does one piece of work; null when nobody waits for it any more. */
export type Turns = <T>(work: () => Awaitable<T>, signal: AbortSignal) => Promise<T | null>;

/**
 * One piece of work after the other, and the sockets are heard in between: work of a client that hung up while it waited is
 * not begun.
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
