import type { MainWindow, PageCanvases, PageListeners, PageShadowRoots } from '../parts.ts';
import type { ChosenOptions } from '../shims/chosen-options.ts';
import { createChoices } from './choices.ts';
import { createJudgedFields, type JudgedField } from './judged-fields.ts';
import { createLayerFields, holding } from './layer-fields.ts';
import { createRawText, textIn } from './raw-text.ts';
import type { PageFields } from './records.ts';
import { createWrittenTexts } from './written-texts.ts';

/** Writes what a field holds. Scripts may have put an accessor of theirs before that of the browser: it does not hear of it. */
export function setField(field: HTMLElement, name: 'value' | 'checked', value: unknown): void {
  for (let at: unknown = Object.getPrototypeOf(field); at !== null; at = Object.getPrototypeOf(at)) {
    const set = Object.getOwnPropertyDescriptor(at as object, name)?.set;
    if (set !== undefined) return void set.call(field, value);
  }
}

const isOn = (value: boolean): string => (value ? '1' : '0');

type Field = HTMLInputElement;

interface Typing {
  readonly field: Field;
  readonly value: string;
  /** What it shows, where that is not its value. */
  readonly text: string | null;
  /** What stood there before somebody typed. */
  readonly base: string | null;
  readonly caret: readonly unknown[];
}

/** A text is too short or too long only when a person wrote it: one that a restore writes is not, which is found out. */
const lengthOf = ({ validity }: Field): readonly string[] =>
  validity.tooShort ? ['short'] : validity.tooLong ? ['long'] : [];
const complaintOf = ({ validity, validationMessage }: Field): string =>
  validity.customError ? `!${validationMessage}` : '';

const hasValueMode = ({ type }: Field): boolean =>
  !['hidden', 'submit', 'image', 'reset', 'button', 'file', 'checkbox', 'radio'].includes(type);

function caretOf(field: Field): readonly unknown[] {
  try {
    return typeof field.selectionStart === 'number'
      ? [field.selectionStart, field.selectionEnd, field.selectionDirection]
      : [];
  } catch {
    return [];
  }
}

/** Values that fields of these types take. */
const probes: Readonly<Record<string, readonly string[]>> = {
  number: ['7', '8'],
  range: ['-1000000', '1000000', '1', '2', '50'],
  date: ['2001-02-03', '2002-03-04'],
  time: ['01:02', '02:03'],
  month: ['2001-02', '2002-03'],
  week: ['2001-W05', '2002-W06'],
  'datetime-local': ['2001-02-03T04:05', '2002-03-04T05:06'],
  color: ['#123456', '#234567'],
};

export interface FieldsOptions {
  readonly main: MainWindow;
  readonly listeners: PageListeners;
  readonly canvases: PageCanvases;
  readonly chosen: ChosenOptions;
  /** Whether a script is asking what is valid. */
  isAskedForValidity(): boolean;
  readonly roots: PageShadowRoots;
  trip(what: string): void;
}

/** Reads and writes what elements hold beside their attributes. */
export function createFields(options: FieldsOptions): PageFields {
  const { main, listeners, canvases, chosen, roots, trip } = options;
  const { document } = main;
  /** Fields in which something was typed that the page has not been told of as a change, and what stood there before. */
  const typed = new WeakMap<EventTarget, string>();
  const earlier = new WeakMap<EventTarget, string>();
  const written = createWrittenTexts(main, listeners);
  const judgedFields = createJudgedFields(main, listeners, options.isAskedForValidity);
  const isField = (target: EventTarget | null): target is Field =>
    target !== null && /^(INPUT|TEXTAREA|SELECT)$/.test((target as Element).tagName);
  const settle = ({ isTrusted }: Event, target: EventTarget | null): void => {
    // The browser does not listen to what scripts say.
    if (!isTrusted || !isField(target)) return;
    typed.delete(target);
    earlier.set(target, target.value);
  };
  /** A script may have written since the field got the focus. */
  const noteBefore = ({ isTrusted }: Event, target: EventTarget | null): void => {
    if (isTrusted && isField(target) && !typed.has(target)) earlier.set(target, target.value);
  };
  const noteTyping = ({ isTrusted }: Event, target: EventTarget | null): void => {
    if (isTrusted && isField(target) && !typed.has(target)) typed.set(target, earlier.get(target) ?? '');
  };
  const rawText = createRawText(listeners);
  const { execCommand: execute } = document;
  const choices = createChoices(chosen);
  const layers = createLayerFields({ document, listeners, roots, trip });
  listeners.hear('focusin', settle);
  listeners.hear('beforeinput', noteBefore);
  listeners.hear('input', noteTyping);
  listeners.hear('change', settle);
  listeners.hear('focusout', settle);
  /** Whether a value or a choice is the person's, and no longer that of the attribute. A copy tells: it has the same flags. */
  function dirtOf(field: Field): string {
    const isCheckable = field.tagName === 'INPUT' && (field.type === 'checkbox' || field.type === 'radio');
    // The copy of an image would load it, and call the handlers that its attributes name.
    if (field.tagName === 'INPUT' && !isCheckable && !hasValueMode(field)) return '0';
    const copy = field.cloneNode() as Field;
    if (isCheckable) {
      const before = copy.checked;
      copy.defaultChecked = !copy.defaultChecked;
      const isChecked = copy.checked === before;
      copy.defaultChecked = !copy.defaultChecked;
      return isOn(isChecked);
    }
    if (field.value !== field.defaultValue) return '1';
    // A field that nobody was in follows its attribute; one value of these at least is another one.
    const follows = (probes[field.type] ?? ['espalier']).some(probe => {
      copy.defaultValue = probe;
      return copy.value !== field.value;
    });
    return isOn(!follows);
  }

  const isJudged = (field: JudgedField): string => isOn(judgedFields.has(field));

  function heldBy(element: Element): string {
    const field = element as Field;
    switch (element.tagName) {
      case 'INPUT': {
        const value = field.type === 'file' ? String(field.files?.length ?? 0) : field.value;
        const state = [field.checked, field.indeterminate, value, complaintOf(field), dirtOf(field), isJudged(field)];
        const typing = [typed.get(field) ?? null, rawText.wordOf(field)];
        return JSON.stringify([...state, ...typing, ...caretOf(field), ...lengthOf(field)]);
      }
      case 'TEXTAREA': {
        const area = element as HTMLTextAreaElement;
        const dirt = isOn(area.value !== area.defaultValue || isDirtyArea(area));
        return JSON.stringify([
          field.value,
          complaintOf(field),
          dirt,
          isJudged(area),
          typed.get(field) ?? null,
          ...caretOf(field),
          ...lengthOf(field),
        ]);
      }
      case 'SELECT': {
        const list = element as HTMLSelectElement;
        const state = [choices.selected(list), complaintOf(field), isJudged(list), isOn(list.matches(':open'))];
        return JSON.stringify([...state, choices.of(list)]);
      }
      case 'OPTION': {
        const option = element as HTMLOptionElement;
        const isOfNone = option.closest('select') === null;
        return JSON.stringify([option.selected, option.defaultSelected, isOn(isOfNone && chosen.isChosen(option))]);
      }
      case 'CANVAS':
        return canvases.heldBy(element);
      case 'OUTPUT':
        return JSON.stringify([field.value, field.defaultValue, complaintOf(field)]);
      default:
        return layers.heldBy(element);
    }
  }

  function isDirtyArea(area: HTMLTextAreaElement): boolean {
    const copy = area.cloneNode(true) as HTMLTextAreaElement;
    copy.defaultValue = 'espalier';
    return copy.value !== 'espalier';
  }

  function complain(field: Field, complaint: string): void {
    if (complaintOf(field) !== complaint) field.setCustomValidity(complaint.slice(1));
  }

  /** Does something with a field in a form of its own; nobody hears of it while the page is muted. */
  function inOwnForm(field: Field, work: (form: HTMLFormElement) => void): void {
    const form = document.createElement('form');
    form.noValidate = true;
    const root = field.getRootNode();
    const place = root === document ? document.body : (root as ShadowRoot);
    if (field.isConnected && place !== null) {
      const before = field.getAttribute('form');
      form.id = 'espalier-form';
      place.append(form);
      field.setAttribute('form', form.id);
      work(form);
      if (before === null) field.removeAttribute('form');
      else field.setAttribute('form', before);
      form.remove();
      return;
    }
    const mark = document.createComment('');
    field.replaceWith(mark);
    form.append(field);
    work(form);
    if (mark.parentNode === null) field.remove();
    else mark.replaceWith(field);
  }

  /** A field forgets that somebody was in it when its form is reset. */
  function makeClean(field: Field): void {
    inOwnForm(field, form => form.reset());
    written.forget(field);
    judgedFields.forget(field);
    if (field.tagName === 'SELECT') chosen.forget(field as unknown as HTMLSelectElement);
  }
  const isFilled = (field: Field, base: string | null): boolean =>
    isJudged(field) === '1' || (base === null && written.has(field));
  /** The browser shows what is wrong with a field once its form was sent. */
  function judge(field: Field): void {
    inOwnForm(field, form => form.requestSubmit());
    judgedFields.note(field);
  }

  /** The browser no longer takes what was typed for a change to tell of. */
  function write(field: Field, value: string): void {
    typed.delete(field);
    setField(field, 'value', value);
    earlier.set(field, value);
    rawText.forget(field);
  }

  /** Types a text that is not the value: only an edit gives a field such a text. Nobody hears of it while the page is muted. */
  function typeText(field: Field, text: string): void {
    field.focus({ preventScroll: true });
    if ((field.getRootNode() as Document).activeElement !== field) return;
    field.select();
    execute.call(document, 'insertText', false, text);
    field.blur();
    typed.delete(field);
    earlier.set(field, field.value);
    rawText.learn(field, text);
  }

  function typingIn(element: Element, held: string): Typing | null {
    const isInput = element.tagName === 'INPUT';
    if (!isInput && element.tagName !== 'TEXTAREA') return null;
    const parts = JSON.parse(held) as unknown[];
    const value = parts[isInput ? 2 : 0] as string;
    const base = parts[isInput ? 6 : 4] as string | null;
    const text = isInput ? textIn(parts[7] as string) : null;
    return { field: element as Field, value, text, base, caret: parts.slice(isInput ? 8 : 5) };
  }

  /** Prepares the field that has the focus for what has to be typed again, so that its change is told when it is left. */
  function beginTyping(element: Element, held: string): string | null {
    const typing = typingIn(element, held);
    if (typing === null) return null;
    if (typing.base === null) earlier.set(typing.field, typing.field.value);
    if (typing.base === (typed.get(typing.field) ?? null)) return null;
    write(typing.field, typing.base ?? typing.value);
    if (typing.base === null) return null;
    typing.field.select();
    return typing.text ?? typing.value;
  }

  function endTyping(element: Element, held: string): void {
    const typing = typingIn(element, held);
    if (typing === null) return;
    if (typing.base !== null) typed.set(typing.field, typing.base);
    if (typing.base !== null && typing.text !== null) rawText.learn(typing.field, typing.text);
    setCaret(typing.field, typing.caret);
  }

  function setCaret(field: Field, [start, end, direction]: readonly unknown[]): void {
    if (typeof start !== 'number') return;
    const now = caretOf(field);
    if (now[0] !== start || now[1] !== end || now[2] !== direction)
      field.setSelectionRange(start, end as number, direction as 'forward');
  }

  function holdInput(field: Field, held: string): void {
    const [checked, indeterminate, value, complaint, dirt, judged, base, hidden, ...caret] = JSON.parse(held) as [
      boolean,
      boolean,
      string,
      string,
      string,
      string,
      string | null,
      string,
      ...unknown[],
    ];
    if ((base === null && typed.has(field)) || (hidden === '0' && rawText.isHidden(field))) write(field, field.value);
    if ((dirt === '0' && dirtOf(field) === '1') || (judged === '0' && isFilled(field, base))) makeClean(field);
    const isFile = field.type === 'file';
    if (!isFile && (field.value !== value || (dirt === '1' && hasValueMode(field) && dirtOf(field) === '0')))
      write(field, value);
    if (field.checked !== checked || (dirt === '1' && !hasValueMode(field) && dirtOf(field) === '0'))
      setField(field, 'checked', checked);
    if (field.indeterminate !== indeterminate) field.indeterminate = indeterminate;
    const text = textIn(hidden);
    if (text !== null && rawText.wordOf(field) !== hidden) typeText(field, text);
    if (judged === '1' && isJudged(field) === '0') judge(field);
    complain(field, complaint);
    setCaret(field, caret);
  }

  function holdArea(field: Field, held: string): void {
    const area = field as unknown as HTMLTextAreaElement;
    const [value, complaint, dirt, judged, base, ...caret] = JSON.parse(held) as [
      string,
      string,
      string,
      string,
      string | null,
      ...unknown[],
    ];
    if (base === null && typed.has(field)) write(field, field.value);
    if ((dirt === '0' && isDirtyArea(area)) || (judged === '0' && isFilled(field, base))) makeClean(field);
    if (field.value !== value || (dirt === '1' && !isDirtyArea(area))) write(field, value);
    if (judged === '1' && isJudged(field) === '0') judge(field);
    complain(field, complaint);
    setCaret(field, caret);
  }

  function holdSelect(select: HTMLSelectElement, held: string): void {
    const [selected, complaint, judged, , choice] = JSON.parse(held) as [string, string, string, string, string];
    const reset = (): void => makeClean(select as unknown as Field);
    if (judged === '0' && isJudged(select) === '1') reset();
    choices.hold(select, choice, { selected, reset });
    if (judged === '1' && isJudged(select) === '0') judge(select as unknown as Field);
    if (!selected.includes('1')) select.selectedIndex = -1;
    for (const [index, option] of [...select.options].entries()) {
      const isWanted = selected[index] === '1';
      if (option.selected !== isWanted && (isWanted || select.multiple)) option.selected = isWanted;
    }
    complain(select as unknown as Field, complaint);
  }

  return {
    isHolding: element => holding.has(element.tagName) || element.hasAttribute('popover'),
    heldBy,
    beginTyping,
    endTyping,
    leave: element => void typed.delete(element),
    hidesText: element => element.tagName === 'INPUT' && rawText.wordOf(element as Field) === '1',
    limitOfCanvas: canvases.limitOf,
    texts: rawText,
    hold(element, held) {
      if (element.tagName === 'INPUT') holdInput(element as Field, held);
      else if (element.tagName === 'TEXTAREA') holdArea(element as Field, held);
      else if (element.tagName === 'CANVAS') canvases.hold(element, held);
      else if (element.tagName === 'SELECT') holdSelect(element as HTMLSelectElement, held);
      // What is chosen is written by the select around an option.
    },
    isLayer: layers.isLayer,
    holdLayers: layers.holdLayers,
  };
}
