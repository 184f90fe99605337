import type { PageListeners } from '../page/parts.ts';

/** Where the focus goes when a dialog or popover closes. No script can read it: the browser notes it when it opens one. */
export interface ReturnFocus {
  /** The way to that element from the root of the document, as numbers of children; '' when nothing was noted. */
  of(opened: Element): string;
  /** Opens it as if from the element at the end of this way. */
  openFrom(way: string, opened: Element, open: () => void): void;
  forget(opened: Element): void;
}

export function createReturnFocus(document: Document, listeners: PageListeners): ReturnFocus {
  const noted = new WeakMap<EventTarget, Element | null>();
  listeners.hear('beforetoggle', event => {
    const { isTrusted, target, newState } = event as ToggleEvent;
    if (!isTrusted || target === null) return;
    if (newState === 'open') noted.set(target, document.activeElement);
    else noted.delete(target);
  });
  return {
    of(opened) {
      const element = noted.get(opened);
      return element === undefined ? '' : wayTo(document, element);
    },
    openFrom(way, opened, open) {
      const element = atEnd(document, way) as HTMLElement | null;
      (document.activeElement as HTMLElement | null)?.blur();
      element?.focus({ preventScroll: true });
      noted.set(opened, document.activeElement);
      open();
    },
    forget: opened => void noted.delete(opened),
  };
}

const start = 'root';

function wayTo(document: Document, element: Element | null): string {
  const numbers: number[] = [];
  let at: Element | null = element;
  while (at !== null && at !== document.documentElement) {
    const { parentElement }: Element = at;
    if (parentElement !== null) numbers.unshift([...parentElement.children].indexOf(at));
    at = parentElement;
  }
  // It has been taken out of the document since, so the focus cannot go there.
  return at === null ? 'nowhere' : [start, ...numbers].join('/');
}

function atEnd(document: Document, way: string): Element | null {
  const [first, ...numbers] = way.split('/');
  let at: Element | null = first === start ? document.documentElement : null;
  for (const number of numbers) at = at?.children[Number(number)] ?? null;
  return at;
}
