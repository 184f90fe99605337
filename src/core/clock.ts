/** Time as a value: milliseconds since some fixed moment. */
export interface Clock {
  now(): number;
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
