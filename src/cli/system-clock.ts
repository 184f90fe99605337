import type { Clock } from '../core/clock.ts';

export function createSystemClock(): Clock {
  return { now: () => performance.now() };
}
