import type { PageListeners, PageShadowRoots } from '../parts.ts';

/**
 * What the browser notes when it opens a dialog or popover, and shows to no script: where the focus goes when it closes,
 * what opened it, and which of them lies on top.
 */
export interface OpenLayers {
  /** All that was noted of an open one, as text; '' when nothing was. */
  of(opened: Element): string;
  /** Its place from below among those in front of the page, by that text; -1 when it is not in front, or is not known. */
  placeIn(noted: string): number;
  /** Opens it as the text says; `open` gets the element that is to count as its source. */
  openAs(noted: string, opened: Element, open: (source: HTMLElement | null) => void): void;
  forget(opened: Element): void;
}

type Roots = Pick<PageShadowRoots, 'of' | 'activeElement'>;

interface Noted {
  readonly focus: Element | null;
  readonly source: Element | null;
}

const inFront = ':popover-open, :modal';
const separator = ' ';

/** Whether the Escape key closes it: what one action opened, it closes together. */
export function closesByKey(element: Element): boolean {
  if (element.tagName !== 'DIALOG')
    return element.matches(':popover-open') && element.getAttribute('popover') !== 'manual';
  const { open, closedBy } = element as HTMLDialogElement;
  return element.matches(':modal') || (open && /^(any|closerequest)$/.test(closedBy));
}

/** `onTogether` is told of layers that one action opened. */
// oxlint-disable-next-line max-params -- three are where it reads, one whom it tells
export function createOpenLayers(
  document: Document,
  listeners: PageListeners,
  roots: Roots,
  onTogether: (what: string) => void,
): OpenLayers {
  const known = new WeakMap<EventTarget, Noted>();
  /** Those that were opened, the last one on top. Some are closed again. */
  let order: readonly Element[] = [];
  const endOf = (way: string): Element | null => atEnd(document, way, roots);
  const isInFront = (element: Element): boolean => element.isConnected && element.matches(inFront);

  function note(target: Element, noted: Noted): void {
    known.set(target, noted);
    const others = order.filter(element => element !== target && element.isConnected);
    // One that is not open yet opens this one from within its own event, and comes in front of it afterwards.
    order = [...others.filter(isInFront), target, ...others.filter(element => !isInFront(element))];
  }

  /** Whether somebody did something since the last one was opened. */
  let isAsked = true;
  const noteAction = ({ isTrusted, key }: Event & { readonly key?: string }): void => {
    isAsked ||= isTrusted && key !== 'Escape';
  };
  for (const type of ['keydown', 'mousedown']) listeners.hear(type, noteAction);
  function noteOpening(): void {
    if (!isAsked && order.some(element => element.isConnected && closesByKey(element)))
      onTogether('several dialogs or popovers that one action opened, which Escape closes together');
    isAsked = false;
  }

  listeners.hear('beforetoggle', (event, target) => {
    const { isTrusted, newState, source } = event as ToggleEvent & { readonly source?: Element | null };
    if (!isTrusted || target === null) return;
    if (newState === 'open') {
      noteOpening();
      note(target as Element, { focus: roots.activeElement(), source: source ?? null });
    } else known.delete(target);
  });
  return {
    of(opened) {
      const noted = known.get(opened);
      if (noted === undefined) return '';
      const place = order.filter(isInFront).indexOf(opened);
      const source = noted.source === null ? '' : wayTo(document, noted.source);
      return [place, wayTo(document, noted.focus), source].join(separator);
    },
    placeIn: noted => (noted === '' ? -1 : Number(noted.split(separator, 1)[0])),
    openAs(text, opened, open) {
      const [, focus = '', from = ''] = text.split(separator);
      (roots.activeElement() as HTMLElement | null)?.blur();
      (endOf(focus) as HTMLElement | null)?.focus({ preventScroll: true });
      const source = endOf(from) as HTMLElement | null;
      note(opened, { focus: roots.activeElement(), source });
      isAsked = false;
      open(source);
    },
    forget: opened => void known.delete(opened),
  };
}

const start = 'root';

/** The way to an element from the root of the document, as numbers of children; `s` goes into a shadow root. */
function wayTo(document: Document, element: Element | null): string {
  const numbers: (number | 's')[] = [];
  let at: Element | null = element;
  while (at !== null && at !== document.documentElement) {
    const { parentElement, parentNode }: Element = at;
    const host: Element | null = parentElement ?? (parentNode as Partial<ShadowRoot> | null)?.host ?? null;
    if (host !== null) numbers.unshift([...(parentNode as Element).children].indexOf(at));
    if (host !== parentElement) numbers.unshift('s');
    at = host;
  }
  // It has been taken out of the document since, so the focus cannot go there.
  return at === null ? 'nowhere' : [start, ...numbers].join('/');
}

function atEnd(document: Document, way: string, roots: Roots): Element | null {
  const [first, ...numbers] = way.split('/');
  let at: Element | null = first === start ? document.documentElement : null;
  let within: ParentNode | null = at;
  for (const number of numbers)
    if (number === 's') within = at === null ? null : roots.of(at);
    else {
      at = within?.children[Number(number)] ?? null;
      within = at;
    }
  return at;
}
