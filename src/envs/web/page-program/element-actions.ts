import { cssPath } from './css-path.ts';
import { setField } from './state/fields.ts';
import type { Gesture, Target } from './page-records.ts';
import type { PageActions, PageListeners, PageShadowRoots, Spot } from './parts.ts';
import type { ScriptedClick } from './scripted-click.ts';
import { forPage } from './traps.ts';

// Taken before it is watched.
const attach = Element.prototype.attachShadow;

export interface ActionOptions {
  readonly listeners: PageListeners;
  readonly roots?: PageShadowRoots;
  /** The elements of the last look, in the order of their numbers. */
  elements(): readonly Element[];
  /** Told when an option of a list box is chosen: the browser moves an anchor that no script can read. */
  onListChoice(): void;
  /** Whether something in the page is told of scrolling when a frame is drawn. */
  needsFrame(): boolean;
  /** Waits until the page was told of what was scrolled. */
  told(): Promise<void>;
  /** Keeps from observers of the page what we did. */
  drain(): void;
  /** Clicks without a hand; not in pages that we draw ourselves. */
  readonly clickByScript?: ScriptedClick;
}

/** Finds what is to be acted on, and enters what cannot be typed. */
export function createActions({
  listeners,
  roots,
  elements,
  onListChoice,
  needsFrame,
  told,
  drain,
  clickByScript,
}: ActionOptions): PageActions {
  const untyped = new Set('date time datetime-local month week color range'.split(' '));
  // Taken before they are watched.
  const selectAll = HTMLInputElement.prototype.select;
  const { set: chooseOption } = Object.getOwnPropertyDescriptor(HTMLOptionElement.prototype, 'selected') ?? {};
  const readRoot = Object.getOwnPropertyDescriptor(Element.prototype, 'shadowRoot')?.get as (
    this: Element,
  ) => ShadowRoot | null;
  const { elementFromPoint: hitIn } = ShadowRoot.prototype;
  const readSlot = Object.getOwnPropertyDescriptor(Element.prototype, 'assignedSlot')?.get as (
    this: Element,
  ) => HTMLSlotElement | null;
  let marks: Element | null = null;

  const elementOf = (ref: string): Element | undefined => elements()[Number(ref.slice(1)) - 1];

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

  /** What lies at a spot, in shadow roots too. */
  function hitAt({ x, y }: Spot): Element | null {
    let hit = document.elementFromPoint(x, y);
    for (let root = rootOf(hit); root !== null; ) {
      const inner = hitIn.call(root, x, y);
      if (inner === null || inner === hit) break;
      hit = inner;
      root = rootOf(inner);
    }
    return hit;
  }

  function isReached(element: Element, hit: Element | null): boolean {
    // What stands in a slot, or in a shadow root, is inside of what is drawn around it.
    for (let at = hit; at !== null; at = slotOf(at) ?? at.parentElement ?? hostOf(at)) if (at === element) return true;
    const label = hit?.closest('label') ?? null;
    return label !== null && label.control === element;
  }

  function rootOf(element: Element | null): ShadowRoot | null {
    return element === null ? null : (roots?.of(element) ?? readRoot.call(element));
  }

  /** Of an element in a closed shadow root, the slot that draws it is told by the slots alone. */
  function slotOf(element: Element): Element | null {
    const { parentElement } = element;
    const found = readSlot.call(element);
    const root = found !== null || parentElement === null ? null : (roots?.of(parentElement) ?? null);
    if (root === null) return found;
    const slots = [...root.querySelectorAll('slot')];
    return slots.find(slot => [...slot.assignedElements()].includes(element)) ?? null;
  }

  function hostOf(element: Element): Element | null {
    const root = element.getRootNode();
    return root.nodeType === 11 ? ((root as ShadowRoot).host ?? null) : null;
  }

  function spotsOf(element: Element): Spot[] {
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

  function isInside({ x, y }: Spot): boolean {
    return x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;
  }

  function reachedSpot(element: Element): Spot | null {
    const spots = spotsOf(element).filter(isInside);
    return spots.find(spot => isReached(element, hitAt(spot))) ?? null;
  }

  /** A list or dialog may hide what lies within the window. */
  function canScroll({ clientWidth, clientHeight, scrollWidth, scrollHeight }: Element): boolean {
    return scrollWidth > clientWidth || scrollHeight > clientHeight;
  }

  /** What stands in the way of a gesture, wherever the element lies. */
  function objection(element: Element, ref: string, { kind, text = '', option = '' }: Gesture): string | null {
    const entry = entryOf(element);
    const takes = { choice: 'select', none: 'click', text: 'fill', value: 'fill' }[entry];
    if (kind !== 'click' && kind !== takes) return `${ref} takes ${takes}, not ${kind}.`;
    if (kind === 'select')
      return optionIn(element as HTMLSelectElement, option) === null ? refusal(element, option) : null;
    if (kind !== 'fill' || entry !== 'value') return null;
    // Tried on a copy: nobody hears of it.
    const probe = element.cloneNode() as HTMLInputElement;
    probe.value = text;
    return probe.value === text ? null : `"${text}" is not a value of this ${probe.type} field.`;
  }

  function optionIn({ options }: HTMLSelectElement, option: string): HTMLOptionElement | null {
    const all = [...options];
    const found = all.find(({ label }) => label === option) ?? all.find(({ value }) => value === option);
    return found === undefined || found.disabled ? null : found;
  }

  function refusal(element: Element, option: string): string {
    const offered = [...(element as HTMLSelectElement).options].map(({ label }) => label);
    return `"${option}" is not offered: ${offered.join(', ')}.`;
  }

  function locate(ref: string, gesture: Gesture = { kind: 'click' }): Target | Promise<Target> {
    const element = elementOf(ref);
    const count = elements().length;
    if (element === undefined) {
      const there = count === 0 ? 'nothing to act on' : `e1 to e${count}`;
      return { code: 'unknown-element', problem: `There is no element ${ref}: this screen has ${there}.` };
    }
    if (!element.isConnected || !element.checkVisibility({ visibilityProperty: true }))
      return { code: 'unknown-element', problem: `${ref} is no longer on the screen: it vanished after it was seen.` };
    const wrong = objection(element, ref, gesture);
    if (wrong !== null) return { code: 'invalid-action', problem: wrong };
    const before = scrollsAbove(element);
    const [middle] = spotsOf(element) as [Spot];
    const stays = isInside(middle) && (reachedSpot(element) !== null || !before.some(([at]) => canScroll(at)));
    if (stays) return placeOf(element, ref, before);
    element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
    const place = placeOf(element, ref, before);
    if (place instanceof Promise || !needsFrame()) return place;
    // Scripts that wait to be told of it are told before anything else happens.
    return told().then(() => placeOf(element, ref, before));
  }

  function placeOf(element: Element, ref: string, before: Scrolls): Target | Promise<Target> {
    const reached = reachedSpot(element);
    if (reached !== null) return { ...reached, entry: entryOf(element) };
    const spot = spotsOf(element).find(isInside);
    const cover = spot === undefined ? null : hitAt(spot);
    const why = cover === null ? 'lies outside of what can be scrolled to' : `is covered by ${describe(cover)}`;
    return scrollBack(before, { code: 'invalid-action', problem: `${ref} cannot be reached: it ${why}.` });
  }

  async function click(ref: string, posts: boolean): Promise<Target> {
    const place = await locate(ref);
    if ('problem' in place) return place;
    const isClicked = await clickByScript?.(place, posts);
    return isClicked === true ? { ...place, isClicked } : place;
  }

  type Scrolls = readonly (readonly [element: Element, left: number, top: number])[];

  function scrollsAbove(element: Element): Scrolls {
    const found: [Element, number, number][] = [];
    for (let at = element.parentElement; at !== null; at = at.parentElement)
      found.push([at, at.scrollLeft, at.scrollTop]);
    return found;
  }

  /** What is refused leaves nothing behind, not even how far the page is scrolled. */
  async function scrollBack(before: Scrolls, place: Target): Promise<Target> {
    const moved = before.filter(([at, left, top]) => at.scrollLeft !== left || at.scrollTop !== top);
    if (moved.length === 0) return place;
    listeners.mute(true);
    for (const [at, left, top] of moved) at.scrollTo({ left, top, behavior: 'instant' });
    await told();
    listeners.mute(false);
    return place;
  }

  function tell(element: Element, ...types: string[]): void {
    for (const type of types) element.dispatchEvent(new Event(type, { bubbles: true, composed: true }));
  }

  async function begin(ref: string): Promise<void> {
    const element = elementOf(ref) as HTMLElement;
    element.focus(forPage({ preventScroll: true }));
    if (element instanceof HTMLInputElement) selectAll.call(element);
    else if ('select' in element) (element as HTMLInputElement).select();
    else getSelection()?.selectAllChildren(element);
    // Scripts are told with the next frame, and read then what is selected.
    if (listeners.hears('select')) await told();
  }

  function give(ref: string, value: string): void {
    const element = elementOf(ref) as HTMLInputElement;
    // Some frameworks watch the value of each field, and would take it for one of theirs.
    setField(element, 'value', value);
    tell(element, 'input', 'change');
  }

  function choose(ref: string, option: string): void {
    const select = elementOf(ref) as HTMLSelectElement;
    const wanted = optionIn(select, option) as HTMLOptionElement;
    if (select.multiple || select.size > 1) onListChoice();
    chooseOption?.call(wanted, select.multiple ? !wanted.selected : true);
    tell(select, 'input', 'change');
  }

  function mark(on: boolean): void {
    marks?.remove();
    marks = null;
    if (on) {
      const host = document.createElement('div');
      host.popover = 'manual';
      host.style.cssText = 'all:initial;position:fixed;inset:0;pointer-events:none;background:none;border:0';
      const root = attach.call(host, { mode: 'closed' });
      for (const [index, element] of elements().entries()) {
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
    drain();
  }

  function path(ref: string): string | null {
    const element = elementOf(ref);
    return element === undefined ? null : cssPath(element);
  }

  return { locate, click, begin, give, choose, path, mark, complete: ref => tell(elementOf(ref) as Element, 'change') };
}
