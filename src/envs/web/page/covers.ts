import type { MainWindow } from './parts.ts';

/** Finds what lies in front of a page: backdrops of dialogs that are no `<dialog>`. */
export interface Covers {
  /** What lies in front of everything that scrolls, and does not scroll itself; null where nothing does. */
  find(): Element | null;
  /** Whether a cover is hit in the place of an element. */
  isBehind(element: Element, cover: Element): boolean;
}

export function createCovers(main: MainWindow): Covers {
  const { document } = main;
  const isFixed = (element: Element): boolean => main.getComputedStyle(element).position === 'fixed';

  function coverAt(x: number, y: number): Element | null {
    for (let at = document.elementFromPoint(x, y); at !== null; at = at.parentElement)
      if (isFixed(at) && fillsView(at)) return at;
    return null;
  }

  function fillsView(element: Element): boolean {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return left <= 0 && top <= 0 && right >= main.innerWidth && bottom >= main.innerHeight;
  }

  function isInLayer(element: Element): boolean {
    for (let at: Element | null = element; at !== null; at = at.parentElement) if (isFixed(at)) return true;
    return false;
  }

  return {
    // A message or a header may stand in front of the backdrop at one of the edges.
    find: () => coverAt(main.innerWidth / 2, 1) ?? coverAt(1, main.innerHeight / 2),
    isBehind(element, cover) {
      if (cover.contains(element)) return false;
      const { left, top, width, height } = element.getBoundingClientRect();
      const [x, y] = [left + width / 2, top + height / 2];
      // Out of sight, what scrolls with the page comes to lie behind it too; a layer of its own may lie before it.
      if (x < 0 || y < 0 || x >= main.innerWidth || y >= main.innerHeight) return !isInLayer(element);
      const hit = document.elementFromPoint(x, y);
      return hit !== null && cover.contains(hit);
    },
  };
}
