import type { PageListeners } from '../page/parts.ts';

/** What the browser remembers of keys and the mouse, and shows to no script. */
export interface InputMemory {
  /** What it remembers now, in words; null when it remembers nothing. */
  remembered(): string | null;
}

const segmented = new Set(['date', 'time', 'datetime-local', 'month', 'week']);
const withoutCaret = new Set(['number', 'email']);
const leaving = /^(Tab|Enter|Escape|F\d+)$/;
const vertical = /^(ArrowUp|ArrowDown|PageUp|PageDown|Home|End)$/;
const styling = /^[biu]$/i;
const deleting = /^(Backspace|Delete|Enter)$/;
const modifiers = /^(Shift|Control|Alt|Meta)$/;

const isWithoutCaret = (element: Element): boolean =>
  element.nodeName === 'INPUT' && withoutCaret.has((element as HTMLInputElement).type);

/** `onLasting` is told what it does not forget: no snapshot from before can be restored. */
// oxlint-disable-next-line max-lines-per-function -- one closure over the state of the part
export function createInputMemory(listeners: PageListeners, onLasting: (what: string) => void): InputMemory {
  let memory: { readonly what: string; readonly target: Element } | null = null;
  /** Fields that got all of their text at once, and only more at its end since. */
  const atEnd = new WeakSet<EventTarget>();
  const remember = (what: string, target: Element): void => {
    memory = { what, target };
  };

  /** Only behind all of the text is it known where the caret is: that is where a restore puts it. */
  function noteHiddenCaret(target: Element, key: string | null): void {
    if (key !== null && (leaving.test(key) || (atEnd.has(target) && (key.length === 1 || key === 'Backspace')))) return;
    atEnd.delete(target);
    remember('a field with a caret that no script can read', target);
    if (key !== null) onLasting('keys in a field with a caret that no script can read');
  }

  /** Of the field that has the focus, what a key or a press of the mouse leaves behind. */
  function noteUse(target: Element, key: string | null): void {
    if (target.nodeName === 'INPUT' && segmented.has((target as HTMLInputElement).type))
      remember('a date or time field with a chosen part', target);
    if (isWithoutCaret(target)) noteHiddenCaret(target, key);
    if (target.nodeName !== 'SELECT') return;
    const { multiple, size } = target as HTMLSelectElement;
    if (multiple || size > 1 || key?.length === 1) onLasting('a list in which somebody chose by key or mouse');
  }

  function noteKey({ key, ctrlKey, metaKey, altKey }: KeyboardEvent, target: Element): void {
    const isEditor = (target as HTMLElement).isContentEditable;
    const isArea = isEditor || target.nodeName === 'TEXTAREA';
    if (isArea && vertical.test(key)) remember('a caret that was moved by line', target);
    else if (
      isEditor &&
      !altKey &&
      ((ctrlKey || metaKey) === styling.test(key) ? styling.test(key) : deleting.test(key))
    )
      remember('a text style for what is typed next', target);
  }

  listeners.hear('keydown', event => {
    const { isTrusted, key, target } = event as KeyboardEvent;
    if (!isTrusted || target === null || modifiers.test(key) || (target as Node).nodeType !== 1) return;
    memory = null;
    noteUse(target as Element, key);
    noteKey(event as KeyboardEvent, target as Element);
  });
  listeners.hear('mousedown', ({ isTrusted, target }) => {
    if (!isTrusted || target === null) return;
    memory = null;
    const select = (target as Element).closest('select');
    noteUse(select ?? (target as Element), null);
  });
  listeners.hear('input', event => {
    const { isTrusted, inputType, data, target } = event as InputEvent;
    if (!isTrusted || target === null || inputType !== 'insertText') return;
    // More than a letter at once replaces what was selected before, which is all.
    if (data !== null && (data.length > 1 || (target as HTMLInputElement).value === data)) atEnd.add(target);
    if (!isWithoutCaret(target as Element) || atEnd.has(target)) memory = null;
  });
  listeners.hear('focusin', ({ target }) => {
    if (target !== null) atEnd.delete(target);
  });
  return {
    remembered() {
      // Without the focus it is forgotten.
      if (memory !== null && memory.target.ownerDocument.activeElement !== memory.target) memory = null;
      return memory?.what ?? null;
    },
  };
}
