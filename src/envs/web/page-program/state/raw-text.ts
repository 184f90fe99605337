import type { PageListeners } from '../parts.ts';

/** Tells whether a field shows a text that its value does not say, and which one. */
export interface RawText {
  isHidden(field: HTMLInputElement): boolean;
  /** `0` when it shows its value, `1` when it shows an unknown text, else `=` and the text. */
  wordOf(field: HTMLInputElement): string;
  /** Fields whose text is hidden and not known: Node reads it from outside. */
  takeUnknown(): readonly HTMLInputElement[];
  unknownCount(): number;
  /** Says what a field shows: read by Node, or typed by a restore. */
  learn(field: HTMLInputElement, text: string): void;
  /** Its value was written, so it shows that value. */
  forget(field: HTMLInputElement): void;
}

/** In these the browser keeps what was typed apart from the value, and no script can read it: `1.` has the value `1`. */
const kinds = new Set(['number', 'email']);

/** Watches what is typed, as the text itself cannot be read. In doubt a text is hidden. */
export function createRawText(listeners: PageListeners): RawText {
  /** The value of the field when it was found to hide something. Another one is the doing of a script, and is shown. */
  const hidden = new WeakMap<EventTarget, string>();
  /** Hidden texts that are known, each with the value beside it. */
  const texts = new WeakMap<EventTarget, { readonly text: string; readonly value: string }>();
  let unknown = new Set<HTMLInputElement>();
  let before: { readonly target: EventTarget; readonly value: string; readonly isHidden: boolean } | null = null;

  listeners.hear('beforeinput', ({ isTrusted }, target) => {
    const field = target as HTMLInputElement;
    if (isTrusted && kinds.has(field.type)) before = { target: field, value: field.value, isHidden: isHidden(field) };
  });
  listeners.hear('input', (event, target) => {
    const field = target as HTMLInputElement;
    if (!event.isTrusted || !kinds.has(field.type)) return;
    const start = before?.target === field && !before.isHidden ? before.value : null;
    before = null;
    texts.delete(field);
    const isKnown = isEmpty(field) || (start !== null && isWhole(start, field, event as InputEvent));
    if (!isKnown) hidden.set(field, field.value);
    else hidden.delete(field);
  });
  const isHidden = (field: HTMLInputElement): boolean =>
    field.validity.badInput || (hidden.has(field) && hidden.get(field) === field.value);

  function wordOf(field: HTMLInputElement): string {
    if (!isHidden(field)) return '0';
    const known = texts.get(field);
    // A script that wrote another value may have changed the text as well.
    if (known !== undefined && known.value === field.value) return `=${Number(field.validity.badInput)}${known.text}`;
    unknown.add(field);
    return '1';
  }

  return {
    isHidden,
    wordOf,
    takeUnknown() {
      const taken = [...unknown];
      unknown = new Set();
      return taken;
    },
    unknownCount: () => unknown.size,
    learn(field, text) {
      const { value, validity } = field;
      if (text === value && !validity.badInput) return void hidden.delete(field);
      texts.set(field, { text, value });
      hidden.set(field, value);
    },
    forget(field) {
      hidden.delete(field);
      texts.delete(field);
    },
  };
}

/** The text in a word that says it; null in others. */
export function textIn(word: string): string | null {
  return word.startsWith('=') ? word.slice(2) : null;
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
