import type { Clock, Timers } from '../../core/clock.ts';

/** Divides the work of a thread into turns: signals, timers, messages and sockets are heard between two of them. */
export interface Turns {
  /** Null when work may go on; else settles in the next turn. Ask again then: who waited before may have used it up. */
  pause(): Promise<void> | null;
}

const turnMilliseconds = 20;

export function createTurns(clock: Clock, timers: Timers): Turns {
  let ends = clock.now() + turnMilliseconds;
  let next: Promise<void> | null = null;
  const begin = (): Promise<void> =>
    new Promise(resolve => {
      timers.after(0, () => {
        next = null;
        ends = clock.now() + turnMilliseconds;
        resolve();
      });
    });
  return { pause: () => (next === null && clock.now() < ends ? null : (next ??= begin())) };
}
