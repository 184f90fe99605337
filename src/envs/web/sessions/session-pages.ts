/** A page that can be closed while sessions have leases on it: they replay their paths in another one when they are used again. */
export interface ReclaimablePage {
  /** Whether nobody works in it, or waits to. */
  isIdle(): boolean;
  /** Closes it for the sake of another session. */
  reclaim(): void;
}

/** The pages of a session and its forks. When the browser is full, a fork gets the place of one of them, so it never waits for its own family. */
export interface SessionPages {
  /** Adds a page that has reached the state it was opened for, and is used next. */
  add(page: ReclaimablePage): void;
  /** Says that work in a page has ended. */
  rested(page: ReclaimablePage): void;
  /** Says that a page was closed. */
  remove(page: ReclaimablePage): void;
  /** Reclaims the page that has been idle longest, or the next one that is. Call the result once the place is taken. */
  reclaim(): () => void;
}

export function createSessionPages(): SessionPages {
  /** The least recently used first. */
  const pages = new Set<ReclaimablePage>();
  const requests = new Set<object>();
  const reclaim = (page: ReclaimablePage, request: object): void => {
    requests.delete(request);
    pages.delete(page);
    page.reclaim();
  };
  return {
    add: page => void pages.add(page),
    rested(page) {
      if (!pages.delete(page)) return;
      pages.add(page);
      const [request] = requests;
      if (request !== undefined && page.isIdle()) reclaim(page, request);
    },
    remove: page => void pages.delete(page),
    reclaim() {
      const request = {};
      requests.add(request);
      const idle = [...pages].find(page => page.isIdle());
      if (idle !== undefined) reclaim(idle, request);
      return () => void requests.delete(request);
    },
  };
}
