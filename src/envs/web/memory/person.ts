import type { PaperRecord, PersonRecord } from './records.ts';

/** Keeps and puts back where the person at the page is: focus, caret and scrolling. Runs in the page. */
// oxlint-disable-next-line max-lines-per-function -- sent to the page as one text
export function installPerson(): void {
  const keeper = globalThis.espalierKeeper;
  const scrolled = new Set<Element>();
  type Method = (this: Element | Window, ...values: unknown[]) => unknown;

  const note = (target: EventTarget | null): void => {
    const start = target === document || target === globalThis ? document.scrollingElement : target;
    for (let at = start; at instanceof Element; at = at.parentElement) scrolled.add(at);
  };

  /** Where something is scrolled to is there at once: the time that gliding takes is nobody's. */
  function atOnce(values: readonly unknown[]): readonly unknown[] {
    const [first, second] = values;
    if (typeof first === 'object' && first !== null) return [{ ...first, behavior: 'instant' }];
    return values.length < 2 ? values : [{ left: first, top: second, behavior: 'instant' }];
  }

  /** Asking every element how far it is scrolled costs more than all the rest: those that ever were are known. */
  function watchScrolling(): void {
    keeper.listeners.hear('scroll', ({ target }) => note(target));
    for (const holder of [Element.prototype, globalThis])
      for (const name of ['scrollTo', 'scroll', 'scrollBy', 'scrollIntoView']) {
        const methods = holder as unknown as Record<string, Method | undefined>;
        const real = methods[name];
        if (real === undefined) continue;
        methods[name] = function (this: Element | Window | undefined, ...values) {
          const target = this ?? window;
          note(target);
          const isInto = name === 'scrollIntoView';
          const plain = { block: values[0] === false ? 'end' : 'start', inline: 'nearest', behavior: 'instant' };
          const given = isInto && typeof values[0] !== 'object' ? [plain] : atOnce(values);
          return real.apply(target, [...given]);
        };
      }
    for (const name of ['scrollTop', 'scrollLeft']) {
      const member = Object.getOwnPropertyDescriptor(Element.prototype, name) as PropertyDescriptor;
      Object.defineProperty(Element.prototype, name, {
        ...member,
        set(this: Element, value: unknown) {
          note(this);
          member.set?.call(this, value);
        },
      });
    }
  }

  function scrollsNow(): PaperRecord['scrolls'] {
    const found: [Element, number, number][] = [];
    for (const element of scrolled) {
      if (!element.isConnected) scrolled.delete(element);
      else if (element.scrollTop !== 0 || element.scrollLeft !== 0)
        found.push([element, element.scrollLeft, element.scrollTop]);
    }
    return found;
  }

  function putScrolls(wanted: PaperRecord['scrolls']): void {
    const distances = new Map(wanted.map(([element, left, top]) => [element, { left, top }]));
    for (const element of new Set([...scrolled, ...distances.keys()])) {
      const { left, top } = distances.get(element) ?? { left: 0, top: 0 };
      if (element.scrollTop === top && element.scrollLeft === left) continue;
      element.scrollTo({ left, top, behavior: 'instant' });
    }
  }

  function selectionIn(active: Element | null): PersonRecord['selection'] {
    try {
      const { selectionStart, selectionEnd, selectionDirection } = (active ?? {}) as Partial<HTMLInputElement>;
      if (typeof selectionStart !== 'number') return null;
      return [selectionStart, selectionEnd ?? selectionStart, selectionDirection ?? 'none'];
    } catch {
      return null;
    }
  }

  function rangeNow(): PersonRecord['range'] {
    const { anchorNode, anchorOffset, focusNode, focusOffset } = getSelection() ?? {};
    if (!anchorNode?.isConnected || !focusNode?.isConnected) return null;
    return [anchorNode, anchorOffset ?? 0, focusNode, focusOffset ?? 0];
  }

  function capture(): PersonRecord {
    const active = document.activeElement;
    const focus = active === null || active === document.body ? null : active;
    const selection = selectionIn(focus);
    // In a field, the caret is that of the field.
    return { focus, selection, range: selection === null ? rangeNow() : null };
  }

  function restore({ focus, selection, range }: PersonRecord): void {
    if (focus === null) (document.activeElement as HTMLElement | null)?.blur();
    else if (document.activeElement !== focus) (focus as HTMLElement).focus({ preventScroll: true });
    const now = capture();
    if (selection !== null && String(now.selection) !== String(selection))
      (focus as HTMLInputElement).setSelectionRange(selection[0], selection[1], selection[2]);
    if (selection !== null || now.range === range) return;
    if (range === null) getSelection()?.removeAllRanges();
    else if (range.some((part, index) => part !== now.range?.[index])) getSelection()?.setBaseAndExtent(...range);
  }

  /**
   * Where nothing has the focus, the browser remembers from where the Tab key would go on, and tells nobody: then it goes
   * on from the start of the document.
   */
  function forgetPlace(): void {
    if (document.activeElement !== document.body || document.body === null) return;
    const { listeners, observers } = keeper;
    const wasMuted = listeners.isMuted();
    const mark = document.createElement('div');
    mark.tabIndex = -1;
    mark.style.cssText = 'position:fixed;width:0;height:0;overflow:hidden';
    listeners.mute(true);
    ([...document.querySelectorAll('dialog:modal')].at(-1) ?? document.body).append(mark);
    mark.focus({ preventScroll: true });
    mark.remove();
    observers.drain();
    listeners.mute(wasMuted);
  }

  watchScrolling();
  keeper.forgetPlace = forgetPlace;
  keeper.scrolls = { now: scrollsNow, put: putScrolls };
  keeper.person = { capture, restore };
}
