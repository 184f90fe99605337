import type { InputMemory } from '../memory/input-memory.ts';
import type { PageListeners, PageObservers, PageShadowRoots, MainWindow, SelectedRange } from '../parts.ts';
import type { DomRecord, FocusRecord, PageFocus } from './records.ts';

// Of this realm, while it has a page: asked of the page, it would be handed our options.
const { focus: giveFocus } = HTMLElement.prototype;

/** What is displayed so scrolls nothing, whatever its overflow says. */
const withoutBox = /^(inline|contents|ruby.*|(inline-)?table|table-(row|column|header|footer).*)$/;

export interface FocusOptions {
  readonly main: MainWindow;
  readonly listeners: PageListeners;
  readonly observers: PageObservers;
  readonly memory: InputMemory;
  readonly roots: PageShadowRoots;
  /** Lets a script of the page scroll as always, and tells what it scrolls. */
  onScroll(told: (target: EventTarget | null) => void): void;
  /** Told when the focus is taken from an element. */
  leave(element: Element): void;
}

/** Keeps and restores where the person at the page is: focus, caret and scrolling. */
export function createFocusState(options: FocusOptions): PageFocus {
  const { main, listeners, observers, memory, roots, onScroll, leave } = options;
  const { document, Element } = main;
  const scrolled = new Set<Element>();
  /** Of these, those that stood elsewhere than at their start when they could last be asked. */
  const moved = new Set<Element>();
  const note = (target: EventTarget | null): void => {
    const start = target === document || target === main ? document.scrollingElement : target;
    for (let at = start; at instanceof Element; at = at.parentElement ?? hostOf(at)) {
      scrolled.add(at);
      if (isMoved(at)) moved.add(at);
    }
  };
  const isMoved = ({ scrollTop, scrollLeft }: Element): boolean => scrollTop !== 0 || scrollLeft !== 0;
  const hostOf = (element: Element): Element | null => (element.getRootNode() as Partial<ShadowRoot>).host ?? null;

  function scrollsNow(): DomRecord['scrolls'] {
    const found: [Element, number, number][] = [];
    for (const element of scrolled) {
      if (!element.isConnected) {
        scrolled.delete(element);
        moved.delete(element);
      } else if (isMoved(element)) {
        moved.add(element);
        found.push([element, element.scrollLeft, element.scrollTop]);
      } else if (isBox(element)) moved.delete(element);
    }
    return found;
  }

  /** Whether somebody could scroll an element now. */
  function isBox(element: Element): boolean {
    if (element.getClientRects().length === 0) return false;
    if (element === document.scrollingElement || element.tagName === 'INPUT') return true;
    const { display, overflowX, overflowY } = main.getComputedStyle(element);
    if (withoutBox.test(display)) return false;
    return !/^(visible|clip)$/.test(overflowX) || !/^(visible|clip)$/.test(overflowY);
  }

  /** How far a box was scrolled that is hidden now, or no box, no script can read; the browser remembers it until it is one again. */
  function hiddenScroll(): string | null {
    for (const element of moved)
      if (element.isConnected && !isMoved(element) && !isBox(element)) return 'a hidden box that was scrolled';
    return null;
  }

  function restoreScrolls(wanted: DomRecord['scrolls']): void {
    const distances = new Map(wanted.map(([element, left, top]) => [element, { left, top }]));
    for (const element of new Set([...scrolled, ...distances.keys()])) {
      const { left, top } = distances.get(element) ?? { left: 0, top: 0 };
      const isThere = element.scrollTop === top && element.scrollLeft === left;
      if (isThere && !moved.has(element)) continue;
      // Where it stood before its content became smaller, the browser remembers until it is scrolled.
      if (isThere) element.scrollTo({ left: left === 0 ? 1 : 0, top: top === 0 ? 1 : 0, behavior: 'instant' });
      element.scrollTo({ left, top, behavior: 'instant' });
    }
  }

  function selectionIn(active: Element | null): FocusRecord['selection'] {
    try {
      const { selectionStart, selectionEnd, selectionDirection } = (active ?? {}) as Partial<HTMLInputElement>;
      if (typeof selectionStart !== 'number') return null;
      return [selectionStart, selectionEnd ?? selectionStart, selectionDirection ?? 'none'];
    } catch {
      return null;
    }
  }

  const aroundNow = (): readonly Element[] => (roots.shown().length === 0 ? [] : roots.find(':focus-within'));

  function capture(): FocusRecord {
    const active = roots.activeElement();
    const focus = active === null || active === document.body ? null : active;
    const selection = selectionIn(focus);
    const isVisible = focus?.matches(':focus-visible') === true;
    const target = document.querySelector(':target');
    return { focus, isVisible, isByKey, around: aroundNow(), target, selection, range: roots.selected() };
  }

  let isByKey = true;
  let pressedIn: Element | null = null;
  let mark: HTMLElement | null = null;
  let asked: 'key' | 'mouse' | null = null;

  /** Puts an element into the page that is seen by nobody: as far in front as there is a place. */
  function addMark(style: string): HTMLElement {
    const made = document.createElement('div');
    made.tabIndex = -1;
    made.style.cssText = style;
    (roots.find('dialog:modal').at(-1) ?? document.body).append(made);
    return made;
  }

  /** Once it was asked for, it was done; where that changed nothing, the comparison finds it. */
  function handFor(wanted: FocusRecord): 'key' | 'mouse' | null {
    if (asked === 'key') isByKey = true;
    if (mark !== null && mark === document.activeElement) isByKey = mark.matches(':focus-visible');
    mark?.remove();
    mark = null;
    const isDone = asked !== null || wanted.isByKey === isByKey || document.body === null;
    asked = isDone ? null : wanted.isByKey ? 'key' : 'mouse';
    if (asked === 'mouse') mark = addMark('position:fixed;left:0;top:0;width:4px;height:4px;z-index:2147483647');
    observers.drain();
    return asked;
  }

  /** What scripts do with the focus tells nothing; the browser goes by keys and by where the mouse takes it. */
  function watchHand(): void {
    listeners.hear('keydown', event => {
      const { isTrusted, ctrlKey, altKey, metaKey } = event as KeyboardEvent;
      if (isTrusted && !ctrlKey && !altKey && !metaKey) isByKey = true;
    });
    listeners.hear('mousedown', ({ isTrusted }) => {
      if (isTrusted) pressedIn = roots.activeElement();
    });
    listeners.hear('mouseup', ({ isTrusted }) => {
      if (isTrusted && pressedIn !== null && pressedIn !== roots.activeElement()) isByKey = false;
      pressedIn = null;
    });
  }

  /** Without a word about the ring, as a person does: else the browser shows none either when a key is pressed next. */
  function focusOn(element: HTMLElement, isVisible: boolean): void {
    element.focus({ preventScroll: true });
    if (element.matches(':focus-visible') === isVisible && roots.activeElement() === element) return;
    element.blur();
    element.focus({ preventScroll: true, focusVisible: isVisible } as { preventScroll: boolean });
  }

  function blur(): void {
    const active = roots.activeElement() as HTMLElement | null;
    if (active === null) return;
    leave(active);
    active.blur();
  }

  /** A field that is left keeps the selection until something else is selected. */
  function selectInField(field: HTMLElement, wanted: SelectedRange): void {
    if (isSameRange(roots.selected(), wanted)) return;
    blur();
    field.focus({ preventScroll: true });
  }

  function isFocused({ focus, isVisible, around }: FocusRecord): boolean {
    if (roots.activeElement() !== focus || focus?.matches(':focus-visible') !== isVisible) return false;
    const now = aroundNow();
    return now.length === around.length && now.every((element, index) => element === around[index]);
  }

  function restore(wanted: FocusRecord): void {
    const { focus, isVisible, selection, range } = wanted;
    memory.restored();
    // The browser forgets it with the focus and the selection.
    if (memory.remembered() !== null) {
      blur();
      roots.deselect();
      memory.forget();
    }
    const field = range?.field ?? null;
    if (range !== null && field !== null && field !== focus) selectInField(field, range);
    if (focus === null) blur();
    else if (!isFocused(wanted)) {
      blur();
      // What stands in a slot is known once the page is laid out.
      focus.getBoundingClientRect();
      focusOn(focus as HTMLElement, isVisible);
    }
    if (selection !== null && String(selectionIn(focus)) !== String(selection))
      (focus as HTMLInputElement).setSelectionRange(selection[0], selection[1], selection[2]);
    if (field !== null) return;
    const now = roots.selected();
    if (range === null && now !== null) roots.deselect();
    else if (range !== null && !isSameRange(now, range)) roots.select(range);
  }

  /**
   * Where nothing has the focus, the browser remembers from where the Tab key would go on, and tells nobody: then it goes
   * on from the start of the document.
   */
  function forgetTabStart(): void {
    if (document.activeElement !== document.body || document.body === null) {
      if (roots.activeElement()?.matches(':focus-visible') === false) isByKey = false;
      return;
    }
    const wasMuted = listeners.isMuted();
    listeners.mute(true);
    const start = addMark('position:fixed;width:0;height:0;overflow:hidden');
    Reflect.apply(giveFocus, start, [{ preventScroll: true }]);
    isByKey = start.matches(':focus-visible');
    start.remove();
    observers.drain();
    listeners.mute(wasMuted);
  }

  // Asking every element how far it is scrolled costs more than all the rest: those that ever were are known.
  listeners.hear('scroll', (_, target) => note(target));
  onScroll(note);
  watchHand();
  return { capture, restore, scrollsNow, hiddenScroll, restoreScrolls, forgetTabStart, handFor };
}

function isSameRange(one: SelectedRange | null, other: SelectedRange): boolean {
  if (one === null || one.field !== other.field || one.words !== other.words) return false;
  const wanted = [...other.places, ...other.seen];
  return [...one.places, ...one.seen].every((part, index) => part === wanted[index]);
}
