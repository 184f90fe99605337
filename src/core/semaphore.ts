/** A bounded number of places, first come first served. */
export interface Semaphore {
  /**
   * Takes a free place at once and returns null; else waits for one. Each place is left once. `onWait` is called where one
   * has to wait, and what it returns when the waiting is over.
   */
  enter(onWait?: () => () => void): Promise<void> | null;
  leave(): void;
  /** Works in a place, and leaves it whatever comes of the work. */
  readonly run: InTurn;
  taken(): number;
  waiting(): number;
  /** Turns everybody away, those who wait included. */
  close(why: Error): void;
}

export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** With one place, work is done one after another, in the order it came. */
export function createSemaphore(places: number): Semaphore {
  let waiting: PromiseWithResolvers<void>[] = [];
  // Entries before it have had their turn: `shift` would move all that wait, each time.
  let first = 0;
  let taken = 0;
  let closed: Error | null = null;

  const enter: Semaphore['enter'] = onWait => {
    if (closed !== null) return Promise.reject(closed);
    if (taken < places) {
      taken++;
      return null;
    }
    const turn = Promise.withResolvers<void>();
    waiting.push(turn);
    return onWait === undefined ? turn.promise : turn.promise.finally(onWait());
  };
  const leave = (): void => {
    const next = waiting[first];
    if (next === undefined) {
      taken--;
      return;
    }
    // The place goes on to whoever waits longest.
    first++;
    if (first * 2 >= waiting.length) [waiting, first] = [waiting.slice(first), 0];
    next.resolve();
  };
  return {
    enter,
    leave,
    async run(work) {
      const wait = enter();
      if (wait !== null) await wait;
      try {
        return await work();
      } finally {
        leave();
      }
    },
    taken: () => taken,
    waiting: () => waiting.length - first,
    close(why) {
      closed = why;
      const turnedAway = waiting.slice(first);
      [waiting, first] = [[], 0];
      for (const { reject } of turnedAway) reject(why);
    },
  };
}
