/** Does what can wait, a little at a time, between what cannot. */
export interface Leisure {
  later(work: () => void): void;
}

/** Pieces of work before others have a turn. */
const atOnce = 8;

export function createLeisure(): Leisure {
  const waiting: (() => void)[] = [];
  const turn = (): void => {
    for (const work of waiting.splice(0, atOnce)) work();
    if (waiting.length > 0) setImmediate(turn);
  };
  return {
    later(work) {
      if (waiting.push(work) === 1) setImmediate(turn);
    },
  };
}
