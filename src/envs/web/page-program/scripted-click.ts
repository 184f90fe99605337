import type { PagePointer, PageShadowRoots, Spot } from './parts.ts';
import { forPage } from './traps.ts';

// Taken before scripts of the page can replace them.
const { dispatchEvent } = EventTarget.prototype;
const { PointerEvent, MouseEvent } = globalThis;
/** Whoever waits for it goes on after promises that were kept before. */
const soon = Promise.resolve();

/** Where the browser does more for a person than for a script, or shows something of its own. */
const byHandAlone = [
  'select,option,textarea,iframe,object,embed,video,audio,area,[contenteditable],[popovertarget],[commandfor]',
  'a[target],a[download],[draggable="true"],[interestfor]',
  'input:not([type="checkbox"],[type="radio"],[type="button"],[type="submit"])',
].join();

/** Clicks with events that a script makes: no frame has to be drawn for them. */
export interface ScriptedClick {
  /** False where only a click by hand does all that a click does: then nothing was done. */
  (spot: Spot, posts: boolean): Promise<boolean>;
}

interface ScriptedClickOptions {
  readonly pointer: PagePointer;
  readonly roots: PageShadowRoots;
  /** Waits for the messages that scripts have posted: by hand they come before the next event, too. */
  delivered(): Promise<void>;
}

export function createScriptedClick({ pointer, roots, delivered }: ScriptedClickOptions): ScriptedClick {
  const readRoot = Object.getOwnPropertyDescriptor(Element.prototype, 'shadowRoot')?.get as (
    this: Element,
  ) => ShadowRoot | null;
  const canClick = (target: Element | null): target is Element =>
    target !== null &&
    // What is hit in there hears it first.
    readRoot.call(target) === null &&
    roots.of(target) === null &&
    target.closest(byHandAlone) === null &&
    // A press beside it would close it.
    document.querySelector(':popover-open') === null;

  return async ({ x, y }, posts) => {
    const target = document.elementFromPoint(x, y);
    if (!canClick(target)) return false;
    const place = { bubbles: true, cancelable: true, composed: true, view: window, clientX: x, clientY: y };
    const hand = { ...place, screenX: x, screenY: y, pointerId: 1, pointerType: 'mouse', isPrimary: true };
    /** Whether the page lets the browser go on. Its promises are kept before the next event, as they are by hand. */
    const tell = async (at: Element, type: string, more: MouseEventInit): Promise<boolean> => {
      const Kind = type.startsWith('mouse') ? MouseEvent : PointerEvent;
      const goesOn = dispatchEvent.call(at, new Kind(type, { ...hand, ...more }));
      await soon;
      return goesOn;
    };
    pointer.at({ x, y });
    await tell(target, 'pointermove', { button: -1 });
    await tell(target, 'mousemove', {});
    if (posts) await delivered();
    const isHeard = await tell(target, 'pointerdown', { buttons: 1 });
    if (isHeard && (await tell(target, 'mousedown', { buttons: 1, detail: 1 }))) focusFrom(target);
    await soon;
    if (posts) await delivered();
    const under = document.elementFromPoint(x, y) ?? document.documentElement;
    await tell(under, 'pointerup', {});
    if (isHeard) await tell(under, 'mouseup', { detail: 1 });
    const both = ancestorOf(target, under);
    if (both !== null) await tell(both, 'click', { detail: 1 });
    return true;
  };
}

/** A press gives the focus to the first element around it that takes it; else nothing has it. */
function focusFrom(target: Element): void {
  for (let at: Element | null = target; at !== null; at = at.parentElement) {
    if (!(at instanceof HTMLElement) || at.tabIndex < -1 || (at.tabIndex === -1 && !at.hasAttribute('tabindex')))
      continue;
    at.focus(forPage({ preventScroll: true }));
    if (document.activeElement === at) return;
  }
  if (document.activeElement instanceof HTMLElement && document.activeElement !== document.body)
    document.activeElement.blur();
}

/** The innermost element around both; null where one of them has left the document. */
function ancestorOf(one: Element, other: Element): Element | null {
  for (let at: Element | null = one; at !== null; at = at.parentElement) if (at.contains(other)) return at;
  return null;
}
