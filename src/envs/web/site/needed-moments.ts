import type { Moment } from '../tab.ts';

/** Counts who needs the moments that a page keeps, so that the page can forget the others. */
export interface NeededMoments {
  retain(moment: Moment): void;
  release(moment: Moment): void;
  isNeeded(moment: Moment): boolean;
  /** Moments that nobody needs any more, each once; none until there are enough for a message to the page. */
  takeUnneeded(): readonly Moment[];
}

/** One message to the page forgets at least so many moments. */
const fewest = 32;

export function createNeededMoments(): NeededMoments {
  const counts = new Map<string, number>();
  let unneeded: Moment[] = [];
  return {
    retain(moment) {
      counts.set(keyOf(moment), (counts.get(keyOf(moment)) ?? 0) + 1);
    },
    release(moment) {
      const left = (counts.get(keyOf(moment)) ?? 0) - 1;
      if (left > 0) counts.set(keyOf(moment), left);
      else if (counts.delete(keyOf(moment))) unneeded.push(moment);
    },
    isNeeded: moment => counts.has(keyOf(moment)),
    takeUnneeded() {
      if (unneeded.length < fewest) return [];
      const taken = unneeded;
      unneeded = [];
      return taken;
    },
  };
}

/** Names a moment of a page: numbers start anew with each document. */
export function keyOf({ document, id }: Moment): string {
  return `${document} ${id}`;
}
