import type { MainWindow } from './parts.ts';

/** Finds what lies in front of a page: backdrops of dialogs that are no `<dialog>`. */
export interface Covers {
  /** What lies in front of everything that scrolls, and does not scroll itself; null where nothing does. */
  find(): Element | null;
  /** Whether neither an element nor a box that it stands in lies in front of a cover. */
  isBehind(element: Element, cover: Element): boolean;
}

export function createCovers(main: MainWindow): Covers {
  const { document } = main;
  /** Not a background, and not what lets clicks through: a part of that may be hit, and covers nothing else. */
  const isLayer = (element: Element): boolean => {
    const { position, pointerEvents, zIndex } = main.getComputedStyle(element);
    return position === 'fixed' && pointerEvents !== 'none' && !(Number(zIndex) < 0);
  };

  function coverAt(x: number, y: number): Element | null {
    for (let at = document.elementFromPoint(x, y); at !== null; at = at.parentElement)
      if (isLayer(at) && fillsView(at)) return at;
    return null;
  }

  function fillsView(element: Element): boolean {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return left <= 0 && top <= 0 && right >= main.innerWidth && bottom >= main.innerHeight;
  }

  return {
    // A message or a header may stand in front of the backdrop at one of the edges.
    find: () => coverAt(main.innerWidth / 2, 1) ?? coverAt(1, main.innerHeight / 2),
    isBehind(given, cover) {
      let element = given;
      // What stands in a shadow root is hit as its host.
      for (let root = element.getRootNode(); root.nodeType === 11; root = element.getRootNode())
        element = (root as ShadowRoot).host;
      if (cover.contains(element)) return false;
      // What is scrolled out of sight in a box lies where the box does.
      for (let at: Element | null = element; at !== null && !at.contains(cover); at = at.parentElement) {
        const { left, top, right, bottom } = at.getBoundingClientRect();
        const x = (Math.max(left, 0) + Math.min(right, main.innerWidth)) / 2;
        const y = (Math.max(top, 0) + Math.min(bottom, main.innerHeight)) / 2;
        if (at.contains(document.elementFromPoint(x, y))) return false;
      }
      return true;
    },
  };
}
