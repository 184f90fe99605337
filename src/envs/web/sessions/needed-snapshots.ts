import type { PageSnapshot } from '../tab/tab.ts';

/** Counts the leases that need each snapshot of a page, so that the page can forget the others. */
export interface NeededSnapshots {
  retain(snapshot: PageSnapshot): void;
  release(snapshot: PageSnapshot): void;
  isNeeded(snapshot: PageSnapshot): boolean;
  /** Snapshots that nobody needs any more, each once; none until there are enough for a message to the page. */
  takeUnneeded(): readonly PageSnapshot[];
}

/** One message to the page forgets at least so many snapshots. */
const fewest = 32;

export function createNeededSnapshots(): NeededSnapshots {
  const counts = new Map<string, number>();
  let unneeded: PageSnapshot[] = [];
  return {
    retain(snapshot) {
      counts.set(keyOf(snapshot), (counts.get(keyOf(snapshot)) ?? 0) + 1);
    },
    release(snapshot) {
      const left = (counts.get(keyOf(snapshot)) ?? 0) - 1;
      if (left > 0) counts.set(keyOf(snapshot), left);
      else if (counts.delete(keyOf(snapshot))) unneeded.push(snapshot);
    },
    isNeeded: snapshot => counts.has(keyOf(snapshot)),
    takeUnneeded() {
      if (unneeded.length < fewest) return [];
      const taken = unneeded;
      unneeded = [];
      return taken;
    },
  };
}

/** Names a snapshot of a page: numbers start anew with each document. */
export function keyOf({ document, id }: PageSnapshot): string {
  return `${document} ${id}`;
}
