import type { MainWindow, PageListeners } from '../parts.ts';

export type JudgedField = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Which fields the browser has judged: it then shows whether they are valid (`:user-valid`, `:user-invalid`). */
export interface JudgedFields {
  has(field: JudgedField): boolean;
  /** Says that it was judged while nobody in the page heard of it. */
  note(field: JudgedField): void;
  forget(field: JudgedField): void;
}

/** A field that is disabled, read-only or hidden is judged with its form as well, and shows it once it no longer is. */
export function createJudgedFields(main: MainWindow, listeners: PageListeners, isAsked: () => boolean): JudgedFields {
  const judged = new WeakSet<JudgedField>();
  /** Whether the page prevents a reset is known afterwards. */
  let resets: (readonly [event: Event, fields: readonly JudgedField[]])[] = [];
  const isField = (element: Element): element is JudgedField => /^(INPUT|TEXTAREA|SELECT)$/.test(element.tagName);
  const fieldsOf = ({ elements }: HTMLFormElement): readonly JudgedField[] => [...elements].filter(isField);

  function takeResets(): void {
    for (const [{ defaultPrevented }, fields] of resets)
      if (!defaultPrevented) for (const field of fields) judged.delete(field);
    resets = [];
  }

  function noteSent(form: HTMLFormElement): void {
    takeResets();
    for (const field of fieldsOf(form)) judged.add(field);
  }

  function has(field: JudgedField): boolean {
    takeResets();
    if (!field.willValidate) return judged.has(field);
    const isShown = field.matches(':user-valid, :user-invalid');
    if (isShown) judged.add(field);
    else judged.delete(field);
    return isShown;
  }

  listeners.hear('submit', ({ isTrusted }, target) => {
    if (isTrusted && target instanceof main.HTMLFormElement) noteSent(target);
  });
  // The browser sends no form with a field that is not valid, and has judged all of them by then.
  listeners.hear('invalid', ({ isTrusted }, target) => {
    const { form } = (target ?? {}) as Partial<JudgedField>;
    if (isTrusted && form instanceof main.HTMLFormElement && !isAsked()) noteSent(form);
  });
  for (const type of ['input', 'change', 'blur', 'focusout'])
    listeners.hear(type, (_, target) => {
      if (target instanceof main.Element && isField(target)) has(target);
    });
  listeners.hear('reset', (event, target) => {
    if (target instanceof main.HTMLFormElement) resets.push([event, fieldsOf(target)]);
  });
  return { has, note: field => void judged.add(field), forget: field => void judged.delete(field) };
}
