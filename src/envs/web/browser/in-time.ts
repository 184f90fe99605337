import type { Timers } from '../../../core/clock.ts';

export interface TimeLimit {
  readonly timers: Timers;
  readonly milliseconds: number;
  /** Called when the time is over: what to say. */
  late(): Error;
}

/** The answer, unless it takes too long: one that comes later is not heard. */
export function inTime<T>(answer: Promise<T>, { timers, milliseconds, late }: TimeLimit): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = timers.after(milliseconds, () => reject(late()));
    answer.then(resolve, reject).finally(cancel);
  });
}
