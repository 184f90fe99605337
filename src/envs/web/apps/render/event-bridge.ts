import type { UserIntent } from './render-node.ts';

/** Tells Node what people do. */
export interface EventBridge {
  /** Whether there is news of a field that Node has not heard yet. */
  isWaiting(field: Element): boolean;
  /** Node has answered: the next thing can be told. */
  answered(): void;
  /** Forgets what was not told yet. */
  forget(): void;
}

/** Listens to people. Sent to the page as text. */
export function createEventBridge(): EventBridge {
  let waiting: { readonly element: Element; readonly tell: (ref: string) => UserIntent }[] = [];
  let isAnswered = true;

  const isText = (element: unknown): element is HTMLInputElement | HTMLTextAreaElement =>
    element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
  const isField = (element: unknown): boolean => isText(element) || element instanceof HTMLSelectElement;
  const actedOn = ({ target }: Event): Element | null =>
    target instanceof Element ? target.closest('[data-ref]') : null;

  /** One at a time: a reference means what it meant on the screen that is drawn. */
  function tellNext(): void {
    while (isAnswered) {
      const next = waiting.shift();
      if (next === undefined) return;
      const ref = next.element.isConnected ? next.element.getAttribute('data-ref') : null;
      if (ref === null) continue;
      isAnswered = false;
      globalThis.espalierIntent(JSON.stringify(next.tell(ref)));
    }
  }

  function tell(element: Element, make: (ref: string) => UserIntent): void {
    // Of what is typed into one field, only the last counts.
    if (waiting.at(-1)?.element === element && isText(element)) waiting.pop();
    waiting.push({ element, tell: make });
    tellNext();
  }

  /** Enter and Space press everything; buttons and fields know these keys themselves. */
  function pressByKey(event: KeyboardEvent): void {
    const { key, target } = event;
    if ((key !== 'Enter' && key !== ' ') || !(target instanceof HTMLElement) || !target.hasAttribute('data-ref'))
      return;
    if (isField(target) || target instanceof HTMLButtonElement) return;
    event.preventDefault();
    target.click();
  }

  /** The way out of a dialog or menu is a button like any other. */
  function leaveByKey({ key, target }: KeyboardEvent): void {
    if (key !== 'Escape' || !(target instanceof Element) || target.closest('select') !== null) return;
    const overlays = '[role=dialog], [role=menu]';
    const overlay = target.closest(overlays) ?? [...document.querySelectorAll(overlays)].at(-1);
    const ways = [...(overlay?.querySelectorAll<HTMLElement>('[data-ref]') ?? [])];
    const isWayOut = (way: HTMLElement): boolean =>
      !isField(way) && /^(cancel|close|keep|dismiss|never mind|not now|no\b)/i.test(way.textContent.trim());
    ways.find(isWayOut)?.click();
  }

  document.addEventListener('click', event => {
    const element = actedOn(event);
    if (element !== null && !isField(element)) tell(element, ref => ({ kind: 'click', ref }));
  });
  document.addEventListener('input', event => {
    const element = actedOn(event);
    if (isText(element)) tell(element, ref => ({ kind: 'fill', ref, text: element.value }));
  });
  document.addEventListener('change', event => {
    const element = actedOn(event);
    if (!(element instanceof HTMLSelectElement)) return;
    const option = element.value;
    tell(element, ref => ({ kind: 'select', ref, option }));
  });
  document.addEventListener('keydown', event => {
    if (event.defaultPrevented || event.repeat) return;
    pressByKey(event);
    leaveByKey(event);
  });

  return {
    isWaiting: field => waiting.some(({ element }) => element === field),
    answered() {
      isAnswered = true;
      tellNext();
    },
    forget() {
      waiting = [];
    },
  };
}
