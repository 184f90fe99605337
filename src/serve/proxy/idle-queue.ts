/** Runs work that can wait, in small portions between more urgent work. */
export interface IdleQueue {
  later(work: () => void): void;
}

/** Pieces of work before others have a turn. */
const atOnce = 8;

export function createIdleQueue(): IdleQueue {
  let waiting: (() => void)[] = [];
  let next = 0;
  const turn = (): void => {
    for (const end = Math.min(next + atOnce, waiting.length); next < end; next++) waiting[next]?.();
    if (next < waiting.length) setImmediate(turn);
    else [waiting, next] = [[], 0];
  };
  return {
    later(work) {
      if (waiting.push(work) === 1) setImmediate(turn);
    },
  };
}
