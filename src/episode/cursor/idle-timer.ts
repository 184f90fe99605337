import type { Timers } from '../../core/clock.ts';

/** Runs something when nothing has happened for a while. */
export interface IdleTimer {
  /** Something happens now: the time does not run. */
  pause(): void;
  /** Nothing happens from now on: the time runs from the start. */
  restart(): void;
}

export function createIdleTimer(timers: Timers, milliseconds: number, run: () => void): IdleTimer {
  let cancel = (): void => undefined;
  return {
    pause: () => cancel(),
    restart() {
      cancel();
      if (milliseconds !== Infinity) cancel = timers.after(milliseconds, run);
    },
  };
}
