import type { Clock, Timers } from '../core/clock.ts';

/** The longest that a timer of the platform can wait; beyond it, it would fire at once. */
const longest = 2 ** 31 - 1;

export function createSystemClock(): Clock {
  return { now: () => performance.now() };
}

export function createSystemTimers(): Timers {
  return {
    after(milliseconds, run) {
      const timer = setTimeout(run, Math.min(milliseconds, longest));
      return () => clearTimeout(timer);
    },
  };
}
