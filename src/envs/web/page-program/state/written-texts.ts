import type { MainWindow, PageListeners } from '../parts.ts';

/** Fields in which a text is written. */
const texts = new Set(['text', 'search', 'url', 'tel', 'email', 'password', 'number', 'textarea']);

/**
 * Knows the texts that somebody wrote in and has not left since: when they are left, they count as filled in, whatever a script
 * wrote into them meanwhile. Only a reset of their form takes that away.
 */
export interface WrittenTexts {
  has(field: EventTarget): boolean;
  forget(field: EventTarget): void;
}

export function createWrittenTexts(main: MainWindow, listeners: PageListeners): WrittenTexts {
  const written = new WeakSet<EventTarget>();
  /** Whether the page prevents a reset is known afterwards. */
  let resets: (readonly [event: Event, fields: readonly EventTarget[]])[] = [];

  function has(field: EventTarget): boolean {
    for (const [{ defaultPrevented }, fields] of resets)
      if (!defaultPrevented) for (const one of fields) written.delete(one);
    resets = [];
    return written.has(field);
  }

  listeners.hear('input', ({ isTrusted }, target) => {
    const { type = '' } = (target ?? {}) as Partial<HTMLInputElement>;
    if (isTrusted && target !== null && texts.has(type) && !has(target)) written.add(target);
  });
  listeners.hear('focusout', ({ isTrusted }, target) => {
    if (isTrusted && target !== null) written.delete(target);
  });
  listeners.hear('reset', (event, target) => {
    if (target instanceof main.HTMLFormElement) resets.push([event, [...target.elements]]);
  });
  return { has, forget: field => void written.delete(field) };
}
