/** A page that its sessions can do without: they walk to their states in another one when they are used again. */
export interface LentPage {
  /** Whether nobody works in it, or waits to. */
  isIdle(): boolean;
  /** Closes it, though sessions have a share in it. */
  giveUp(): void;
}

/** The pages of a session and its forks. Where all places are taken, a fork gets one of theirs: nobody waits for what only it holds. */
export interface PageRoom {
  /** Takes in a page that has reached the state it was opened for, and is used next. */
  add(page: LentPage): void;
  /** Tells that work in a page has ended. */
  rests(page: LentPage): void;
  /** Tells that a page was closed. */
  remove(page: LentPage): void;
  /** Gives up the page that has rested longest, or the next one that rests. Call what comes back when the place is taken. */
  want(): () => void;
}

export function createPageRoom(): PageRoom {
  /** The least recently used first. */
  const pages = new Set<LentPage>();
  const wishes = new Set<object>();
  const giveUp = (page: LentPage, wish: object): void => {
    wishes.delete(wish);
    pages.delete(page);
    page.giveUp();
  };
  return {
    add: page => void pages.add(page),
    rests(page) {
      if (!pages.delete(page)) return;
      pages.add(page);
      const [wish] = wishes;
      if (wish !== undefined && page.isIdle()) giveUp(page, wish);
    },
    remove: page => void pages.delete(page),
    want() {
      const wish = {};
      wishes.add(wish);
      const idle = [...pages].find(page => page.isIdle());
      if (idle !== undefined) giveUp(idle, wish);
      return () => void wishes.delete(wish);
    },
  };
}
