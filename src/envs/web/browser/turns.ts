/** A bounded number of places. */
export interface Turns {
  /**
   * Waits for a place, first come first served; gives back how to leave it. Where there is none at once, `onWait` is
   * called, and what that gives back when the waiting is over.
   */
  take(onWait?: () => () => void): Promise<() => void>;
  taken(): number;
  /** Those who want a place and have none. */
  waiting(): number;
  /** Turns everybody away, those who wait included. */
  close(why: Error): void;
}

export function createTurns(places: number): Turns {
  let waiting: PromiseWithResolvers<void>[] = [];
  let taken = 0;
  let closed: Error | null = null;
  return {
    taken: () => taken,
    waiting: () => waiting.length,
    async take(onWait) {
      if (closed !== null) throw closed;
      if (taken < places) taken++;
      else {
        const turn = Promise.withResolvers<void>();
        waiting.push(turn);
        await turn.promise.finally(onWait?.());
      }
      let held = true;
      return () => {
        if (!held) return;
        held = false;
        const next = waiting.shift();
        if (next === undefined) taken--;
        else next.resolve();
      };
    },
    close(why) {
      closed = why;
      const turnedAway = waiting;
      waiting = [];
      for (const { reject } of turnedAway) reject(why);
    },
  };
}

/** Works while it holds a place, and leaves the place whatever comes of the work. */
export async function inTurn<T>(turns: Turns, work: () => Promise<T>): Promise<T> {
  const leave = await turns.take();
  try {
    return await work();
  } finally {
    leave();
  }
}
