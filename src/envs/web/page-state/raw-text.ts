import type { PageListeners } from '../page/parts.ts';

/** Tells whether a field shows a text that its value does not say. */
export interface RawText {
  isHidden(field: HTMLInputElement): boolean;
  /** Its value was written, so it shows that value. */
  forget(field: HTMLInputElement): void;
}

/** In these the browser keeps what was typed apart from the value, and no script can read it: `1.` has the value `1`. */
const kinds = new Set(['number', 'email']);

/** Watches what is typed, as the text itself cannot be read. In doubt a text is hidden. */
export function createRawText(listeners: PageListeners): RawText {
  /** The value of the field when it was found to hide something. Another one is the doing of a script, and is shown. */
  const hidden = new WeakMap<EventTarget, string>();
  let before: { readonly target: EventTarget; readonly value: string; readonly isHidden: boolean } | null = null;

  listeners.hear('beforeinput', ({ isTrusted, target }) => {
    const field = target as HTMLInputElement;
    if (isTrusted && kinds.has(field.type)) before = { target: field, value: field.value, isHidden: isHidden(field) };
  });
  listeners.hear('input', event => {
    const field = event.target as HTMLInputElement;
    if (!event.isTrusted || !kinds.has(field.type)) return;
    const start = before?.target === field && !before.isHidden ? before.value : null;
    before = null;
    const isKnown = isEmpty(field) || (start !== null && isWhole(start, field, event as InputEvent));
    if (!isKnown) hidden.set(field, field.value);
    else hidden.delete(field);
  });
  const isHidden = (field: HTMLInputElement): boolean =>
    field.validity.badInput || (hidden.has(field) && hidden.get(field) === field.value);

  return {
    isHidden,
    forget: field => void hidden.delete(field),
  };
}

/** A number field without a value shows nothing, unless what it shows is no number. */
const isEmpty = ({ type, value, validity }: HTMLInputElement): boolean =>
  type === 'number' && value === '' && !validity.badInput;

/** Whether every character that was typed is in the value: the value only ever leaves some out. */
function isWhole(before: string, { type, value }: HTMLInputElement, { inputType, data }: InputEvent): boolean {
  // Number fields let only these in.
  const typed = type === 'number' ? (data?.replaceAll(/[^\d.eE+-]/g, '') ?? null) : data;
  if (value === typed) return true;
  if (inputType.startsWith('delete')) return value.length === before.length - 1;
  return inputType.startsWith('insert') && typed !== null && value.length === before.length + typed.length;
}
