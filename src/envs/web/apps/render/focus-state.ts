import type { FocusState } from './render-node.ts';

/** Where people are on the page. */
export interface FocusTracker {
  place(): FocusState;
  putAt(place: FocusState): void;
  /** Does something to the document and gives the focus back to what had it, if that is still there. */
  keepFocus(work: () => void): void;
}

/** Knows where people are. Sent to the page as text. */
export function createFocusTracker(): FocusTracker {
  const isText = (element: unknown): element is HTMLInputElement | HTMLTextAreaElement =>
    element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
  const caretOf = (element: unknown): FocusState['caret'] =>
    isText(element) ? [element.selectionStart ?? 0, element.selectionEnd ?? 0] : null;

  function focus(element: Element | undefined, ring: boolean, caret: FocusState['caret']): void {
    // The ring is asked for, as the browser would guess.
    const quietly = { preventScroll: true, focusVisible: ring };
    if (element instanceof HTMLElement) element.focus(quietly);
    if (caret !== null && isText(element)) element.setSelectionRange(caret[0], caret[1]);
  }

  function pathTo(element: Element): number[] {
    const path: number[] = [];
    for (let at = element; at !== document.body && at.parentElement !== null; at = at.parentElement)
      path.unshift([...at.parentElement.children].indexOf(at));
    return path;
  }

  const elementOn = (path: readonly number[]): Element | undefined =>
    path.reduce<Element | undefined>((at, index) => at?.children[index], document.body);

  const scrolledElements = (): Element[] =>
    [...document.body.querySelectorAll('nav, textarea, input, [role]')].filter(
      ({ scrollLeft, scrollTop }) => scrollLeft !== 0 || scrollTop !== 0,
    );

  function start(): void {
    globalThis.scrollTo(0, 0);
    document.querySelector('[role=dialog]')?.scrollIntoView({ block: 'center' });
  }

  return {
    place() {
      const found = document.activeElement;
      // Within an open choice, an option has the focus.
      const active = found === null || found === document.body ? null : (found.closest('select') ?? found);
      return {
        focus: active === null ? null : pathTo(active),
        ring: active?.matches(':focus-visible') === true,
        caret: caretOf(active),
        open: active?.matches('select:open') === true,
        scroll: [globalThis.scrollX, globalThis.scrollY],
        scrolled: scrolledElements().map(element => ({
          at: pathTo(element),
          x: element.scrollLeft,
          y: element.scrollTop,
        })),
      };
    },
    putAt({ focus: path, ring, caret, open, scroll, scrolled }) {
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      const target = path === null ? undefined : elementOn(path);
      focus(target, ring, caret);
      for (const element of scrolledElements()) element.scrollTo(0, 0);
      for (const { at, x, y } of scrolled) elementOn(at)?.scrollTo(x, y);
      if (scroll !== null) globalThis.scrollTo(scroll[0], scroll[1]);
      else start();
      if (open && target instanceof HTMLSelectElement) target.showPicker();
    },
    keepFocus(work) {
      const active = document.activeElement;
      const [caret, ring] = [caretOf(active), active?.matches(':focus-visible') === true];
      work();
      // An element that was moved loses the focus, though it is the same.
      if (active !== null && active.isConnected && document.activeElement !== active) focus(active, ring, caret);
    },
  };
}
