import type { Place } from './keeper.ts';

/** Finds what is to be acted on, and enters what cannot be typed. Runs in the page. */
// oxlint-disable-next-line max-lines-per-function -- sent to the page as one text
export function installHand(): void {
  const keeper = globalThis.espalierKeeper;
  const untyped = new Set('date time datetime-local month week color range'.split(' '));
  let marks: Element | null = null;

  const elementOf = (ref: string): Element | undefined => keeper.elements[Number(ref.slice(1)) - 1];

  function describe(element: Element): string {
    const text = (element.getAttribute('aria-label') ?? element.textContent ?? '').replaceAll(/\s+/g, ' ').trim();
    return `${element.tagName.toLowerCase()} "${text.slice(0, 60)}"`;
  }

  function entryOf(element: Element): 'none' | 'text' | 'value' | 'choice' {
    if (element.tagName === 'SELECT') return 'choice';
    if (element.tagName === 'TEXTAREA' || (element as HTMLElement).isContentEditable) return 'text';
    if (element.tagName !== 'INPUT') return 'none';
    const { type } = element as HTMLInputElement;
    if (untyped.has(type)) return 'value';
    return ['checkbox', 'radio', 'button', 'submit', 'reset', 'image', 'file'].includes(type) ? 'none' : 'text';
  }

  function isReached(element: Element, hit: Element | null): boolean {
    if (hit === null) return false;
    if (element.contains(hit) || hit.shadowRoot?.contains(element) === true) return true;
    const label = hit.closest('label');
    return label !== null && label.control === element;
  }

  function spotsOf(element: Element): { x: number; y: number }[] {
    const { left, top, width, height } = element.getClientRects()[0] ?? element.getBoundingClientRect();
    const shares = [
      [0.5, 0.5],
      [0.25, 0.5],
      [0.75, 0.5],
      [0.1, 0.2],
      [0.9, 0.8],
    ] as const;
    return shares.map(([across, down]) => ({
      x: Math.round((left + width * across) * 10) / 10,
      y: Math.round((top + height * down) * 10) / 10,
    }));
  }

  function isInside({ x, y }: { x: number; y: number }): boolean {
    return x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;
  }

  function locate(ref: string): Place {
    const element = elementOf(ref);
    const count = keeper.elements.length;
    if (element === undefined) {
      const there = count === 0 ? 'nothing to act on' : `e1 to e${count}`;
      return { code: 'unknown-element', problem: `There is no element ${ref}: this screen has ${there}.` };
    }
    if (!element.isConnected || !element.checkVisibility({ visibilityProperty: true }))
      return { code: 'unknown-element', problem: `${ref} is no longer on the screen: it vanished after it was seen.` };
    const [middle] = spotsOf(element) as [{ x: number; y: number }];
    if (!isInside(middle)) element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
    const spots = spotsOf(element).filter(isInside);
    const reached = spots.find(({ x, y }) => isReached(element, document.elementFromPoint(x, y)));
    if (reached !== undefined) return { ...reached, entry: entryOf(element) };
    const [spot] = spots;
    const cover = spot === undefined ? null : document.elementFromPoint(spot.x, spot.y);
    const why = cover === null ? 'lies outside of what can be scrolled to' : `is covered by ${describe(cover)}`;
    return { code: 'invalid-action', problem: `${ref} cannot be reached: it ${why}.` };
  }

  function tell(element: Element, ...types: string[]): void {
    for (const type of types) element.dispatchEvent(new Event(type, { bubbles: true, composed: true }));
  }

  function begin(ref: string): void {
    const element = elementOf(ref) as HTMLElement;
    element.focus({ preventScroll: true });
    if ('select' in element) (element as HTMLInputElement).select();
    else getSelection()?.selectAllChildren(element);
  }

  function give(ref: string, value: string): string | null {
    const element = elementOf(ref) as HTMLInputElement;
    const before = element.value;
    element.value = value;
    if (element.value !== value) {
      element.value = before;
      return `"${value}" is not a value of this ${element.type} field.`;
    }
    tell(element, 'input', 'change');
    return null;
  }

  function choose(ref: string, option: string): string | null {
    const select = elementOf(ref) as HTMLSelectElement;
    const options = [...select.options];
    const wanted = options.find(({ label }) => label === option) ?? options.find(({ value }) => value === option);
    if (wanted === undefined || wanted.disabled)
      return `"${option}" is not offered: ${options.map(({ label }) => label).join(', ')}.`;
    wanted.selected = select.multiple ? !wanted.selected : true;
    tell(select, 'input', 'change');
    return null;
  }

  function mark(on: boolean): void {
    marks?.remove();
    marks = null;
    if (on) {
      const host = document.createElement('div');
      host.popover = 'manual';
      host.style.cssText = 'all:initial;position:fixed;inset:0;pointer-events:none;background:none;border:0';
      const root = host.attachShadow({ mode: 'closed' });
      for (const [index, element] of keeper.elements.entries()) {
        const { left, top, width, height } = element.getBoundingClientRect();
        if (width === 0 || left >= innerWidth || top >= innerHeight || left + width <= 0 || top + height <= 0) continue;
        const frame = document.createElement('div');
        frame.style.cssText = `position:fixed;left:${left}px;top:${top}px;width:${width}px;height:${height}px;box-sizing:border-box;border:1px solid #d11;font:bold 10px/12px sans-serif;color:#fff`;
        const number = document.createElement('span');
        number.textContent = String(index + 1);
        number.style.cssText = 'position:absolute;left:0;top:0;background:#d11;padding:0 2px';
        frame.append(number);
        root.append(frame);
      }
      document.documentElement.append(host);
      host.showPopover();
      marks = host;
    }
    keeper.listeners.drain();
  }

  keeper.hand = { locate, begin, give, choose, mark, complete: ref => tell(elementOf(ref) as Element, 'change') };
}
