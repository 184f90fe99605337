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
