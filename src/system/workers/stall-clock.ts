import type { Worker } from 'node:worker_threads';

/** How long a worker has computed without a turn, in milliseconds. */
export interface StallClock {
  /** Looks again: `beats` counts the turns of the worker. */
  look(beats: number): void;
  /** Begins anew: what was under way has ended. */
  reset(): void;
  /** Processor time since the last turn; wall time where Node cannot tell, or where the worker waits for ever. */
  stalled(): number;
}

type Meter = Partial<Pick<Worker, 'cpuUsage'>>;

/** A loaded machine gives a thread little of its time. One that waits and computes nothing is given up after so many limits. */
const mostWaits = 5;
/** Looks come several times a second. A gap between two counts for no more: the whole program slept, as a laptop does. */
const longestGap = 5000;

export function createStallClock(worker: Meter, now: () => number): StallClock {
  let turn = { beats: -1 };
  let [waited, seen] = [0, now()];
  /** Processor time at the first look after the last turn, and at the last look. */
  let cpu: { readonly first: number; readonly last: number } | null = null;
  let isAsking = false;
  const reset = (beats = -1): void => {
    turn = { beats };
    [waited, seen] = [0, now()];
    cpu = null;
  };
  const ask = (): void => {
    if (isAsking || worker.cpuUsage === undefined) return;
    isAsking = true;
    const asked = turn;
    worker.cpuUsage().then(
      ({ user, system }) => {
        isAsking = false;
        const last = (user + system) / 1000;
        if (asked === turn) cpu = { first: cpu?.first ?? last, last };
      },
      // It has ended meanwhile.
      () => (isAsking = false),
    );
  };
  return {
    reset: () => reset(),
    look(beats) {
      waited += Math.min(now() - seen, longestGap);
      seen = now();
      if (beats === turn.beats) ask();
      else reset(beats);
    },
    stalled() {
      if (worker.cpuUsage === undefined) return waited;
      return Math.max(cpu === null ? 0 : cpu.last - cpu.first, waited / mostWaits);
    },
  };
}
