import type { PageListeners, PagePointer, PageShadowRoots, Spot } from '../parts.ts';

/**
 * Tells the page what the pointer comes to and leaves. The browser tells it whenever a frame is drawn under the pointer,
 * which is chance; we tell it when the pointer is moved, and when the page has come to rest.
 */
export function createPointer(listeners: PageListeners, roots: PageShadowRoots): PagePointer {
  const { dispatchEvent } = EventTarget.prototype;
  // Taken before it is watched.
  const readRoot = Object.getOwnPropertyDescriptor(Element.prototype, 'shadowRoot')?.get as (
    this: Element,
  ) => ShadowRoot | null;
  const rootOf = (element: Element | null): ShadowRoot | null =>
    element === null ? null : (roots.of(element) ?? readRoot.call(element));
  const kinds = [
    ['pointer', PointerEvent, { pointerId: 1, pointerType: 'mouse', isPrimary: true }],
    ['mouse', MouseEvent, {}],
  ] as const;
  /** The elements that know the pointer over them, the innermost first. */
  let over: readonly Element[] = [];

  function pathAt({ x, y }: Spot): readonly Element[] {
    let found = document.elementFromPoint(x, y);
    for (let root = rootOf(found); root !== null; root = rootOf(found)) {
      const within = root.elementFromPoint(x, y);
      if (within === null || within === found) break;
      found = within;
    }
    const path: Element[] = [];
    for (let at: Node | null = found; at !== null; at = at instanceof ShadowRoot ? at.host : at.parentNode)
      if (at instanceof Element) path.push(at);
    return path;
  }

  function move(path: readonly Element[], spot: Spot | null): void {
    const before = over.filter(({ isConnected }) => isConnected);
    over = path;
    const [from, to] = [before[0] ?? null, path[0] ?? null];
    if (from === to) return;
    const left = before.filter(element => !path.includes(element));
    const entered = path.filter(element => !before.includes(element)).toReversed();
    const place = { clientX: spot?.x ?? -1, clientY: spot?.y ?? -1, composed: true, view: window };
    for (const [kind, Kind, more] of kinds) {
      const tell = (target: Element, end: string, other: Element | null): void => {
        const bubbles = end === 'over' || end === 'out';
        const given = { ...place, ...more, bubbles, cancelable: bubbles, relatedTarget: other };
        dispatchEvent.call(target, new Kind(`${kind}${end}`, given));
      };
      if (from !== null) tell(from, 'out', to);
      for (const element of left) tell(element, 'leave', to);
      if (to !== null) tell(to, 'over', from);
      for (const element of entered) tell(element, 'enter', from);
    }
  }

  listeners.hear('pointermove', event => {
    const { clientX: x, clientY: y, isTrusted } = event as PointerEvent;
    if (!isTrusted || listeners.isMuted() || listeners.isBlind()) return;
    const path = event.composedPath().filter(target => target instanceof Element);
    // A closed shadow root shows nobody what is in it.
    const isClosed = path[0] !== undefined && roots.of(path[0]) !== null;
    move(isClosed ? pathAt({ x, y }) : path, { x, y });
  });
  return {
    at: spot => move(spot === null ? [] : pathAt(spot), spot),
    capture: () => over,
    restore(record) {
      over = record;
    },
  };
}
