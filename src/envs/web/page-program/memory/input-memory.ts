import type { MainWindow, PageListeners } from '../parts.ts';
import { watchRadioGroups } from './radio-groups.ts';

/** What the browser remembers of keys and the mouse, and shows to no script. */
export interface InputMemory {
  /** What it remembers now, in words; null when it remembers nothing. */
  remembered(): string | null;
  /** How often a group of radio buttons came to remember another one. */
  radioChanges(): number;
  /** The focus and the selection were taken away: the browser remembers nothing of them. */
  forget(): void;
  /** Called when an earlier state is restored. */
  restored(): void;
}

const segmented = new Set(['date', 'time', 'datetime-local', 'month', 'week']);
const withoutCaret = new Set(['number', 'email']);
const leaving = /^(Tab|Enter|Escape|F\d+)$/;
const vertical = /^(ArrowUp|ArrowDown|PageUp|PageDown|End)$/;
const styling = /^[biu]$/i;
const deleting = /^(Backspace|Delete)$/;
const hiddenCaret = 'a field with a caret that no script can read';
const placedCaret = 'a caret that the mouse put into a text';
const movedCaret = 'a caret that was moved by line';
const typingStyle = 'a text style for what is typed next';
const scrolling = /^(Arrow(Up|Down|Left|Right)|PageUp|PageDown|Home|End| )$/;
const modifiers = /^(Shift|Control|Alt|Meta)$/;

/** Whether the selection of a document is where it is now. */
function sameSelection(document: Document): () => boolean {
  const places = (): unknown[] => {
    const { anchorNode, anchorOffset, focusNode, focusOffset } = document.getSelection() ?? {};
    return [anchorNode, anchorOffset, focusNode, focusOffset];
  };
  const kept = places();
  return () => places().every((place, index) => place === kept[index]);
}

const isWithoutCaret = (element: Element): boolean =>
  element.nodeName === 'INPUT' && withoutCaret.has((element as HTMLInputElement).type);

/** There is one place for the caret in a number field that shows nothing: without a value and without a text that is no number. */
const isEmptyNumber = ({ type, value, validity }: HTMLInputElement): boolean =>
  type === 'number' && value === '' && !validity.badInput;

/** Where a line is wrapped, a caret stands behind the line or before the next one; at the ends of a text there is one place. */
function isAtAnEnd(area: Element): boolean {
  if (area.nodeName !== 'TEXTAREA') {
    const { anchorNode, anchorOffset, isCollapsed } = area.ownerDocument.getSelection() ?? {};
    const length = area.textContent.length;
    const isWhole = length === 0 || (anchorNode as Text | null)?.data?.length === length;
    return isWhole && isCollapsed === true && (anchorOffset === 0 || anchorOffset === length);
  }
  const { value, selectionStart, selectionEnd } = area as HTMLTextAreaElement;
  return selectionStart === selectionEnd && (selectionEnd === 0 || selectionEnd === value.length);
}

/** `onLasting` is told what it does not forget: no snapshot from before can be restored; `trip`, what ends all of them. */
export function createInputMemory(
  { document }: MainWindow,
  listeners: PageListeners,
  { onLasting, trip }: { onLasting(what: string): void; trip(what: string): void },
): InputMemory {
  let memory: { readonly what: string; readonly target: Element } | null = null;
  /** The style of what is typed next lasts as long as the selection stays, also without the focus. */
  let isStyled: (() => boolean) | null = null;
  let keepsStyle = false;
  /** So does the line of a caret in an editor. Where a key moves it is seen afterwards. */
  let isOnLine: (() => boolean) | null = null;
  let movesByLine = false;
  /** Without a focus, keys scroll the box in which the mouse was pressed last: in which of the branches, nobody can tell. */
  let pressed: 'never' | 'here' | 'in a branch' = 'never';
  /** Whether a script keeps a dialog open decides what the next Escape does. It is known when all have heard. */
  let cancels: Event[] = [];
  let isKeptOpen = false;
  /** Fields that got all of their text at once, and only more at its end since. */
  const atEnd = new WeakSet<EventTarget>();
  const radioChanges = watchRadioGroups(listeners);
  const remember = (what: string, target: Element): void => {
    memory = { what, target };
  };

  /** Only behind all of the text is it known where the caret is: that is where a restore puts it. */
  function noteHiddenCaret(target: Element): void {
    atEnd.delete(target);
    remember(hiddenCaret, target);
    onLasting(`keys in ${hiddenCaret}`);
  }

  /** What a key removes is told with the input. */
  function noteUseWithoutCaret(target: Element, key: string | null): void {
    if (key === null) remember(hiddenCaret, target);
    else if (!leaving.test(key) && !deleting.test(key) && !(atEnd.has(target) && key.length === 1))
      noteHiddenCaret(target);
  }

  function noteInput({ inputType, data }: InputEvent, target: HTMLInputElement): void {
    const isWhole = inputType === 'insertText' && data !== null && (data.length > 1 || target.value === data);
    // More than a letter at once replaces what was selected before, which is all.
    if (isWhole || target.value === '') atEnd.add(target);
    if (atEnd.has(target)) memory = null;
    else if (inputType.startsWith('delete')) noteHiddenCaret(target);
  }

  /** Of the field that has the focus, what a key or a press of the mouse leaves behind. */
  function noteUse(target: Element, key: string | null): void {
    if (target.nodeName === 'INPUT' && segmented.has((target as HTMLInputElement).type))
      remember('a date or time field with a chosen part', target);
    if (isWithoutCaret(target)) noteUseWithoutCaret(target, key);
    if (target.nodeName !== 'SELECT') return;
    const { multiple, size } = target as HTMLSelectElement;
    if (multiple || size > 1 || key?.length === 1) onLasting('a list in which somebody chose by key or mouse');
  }

  function noteKey({ key, ctrlKey, metaKey, shiftKey }: KeyboardEvent, target: Element): void {
    const isEditor = (target as HTMLElement).isContentEditable;
    const isArea = isEditor || target.nodeName === 'TEXTAREA';
    // With Shift, keys move the end of what is selected in any text.
    if ((isEditor || (shiftKey && !isArea)) && vertical.test(key)) movesByLine = true;
    else if (isArea && vertical.test(key)) remember(movedCaret, target);
    else if (isEditor && (ctrlKey || metaKey) && styling.test(key)) isStyled = sameSelection(target.ownerDocument);
  }

  listeners.hear('keydown', (event, target) => {
    const { isTrusted, key } = event as KeyboardEvent;
    if (!isTrusted || target === null || modifiers.test(key) || (target as Node).nodeType !== 1) return;
    memory = null;
    noteUse(target as Element, key);
    noteKey(event as KeyboardEvent, target as Element);
    const isAlone = target === document.body || target === document.documentElement;
    if (isAlone && pressed === 'in a branch' && scrolling.test(key))
      trip('a key that scrolls where the mouse was pressed last');
  });
  listeners.hear('cancel', event => {
    if (event.isTrusted) cancels.push(event);
  });
  listeners.hear('mousedown', ({ isTrusted }, target) => {
    if (!isTrusted || target === null) return;
    pressed = 'here';
    memory = null;
    const select = (target as Element).closest('select');
    noteUse(select ?? (target as Element), null);
    const area = (target as Element).closest('textarea, [contenteditable]');
    if (area !== null) remember(placedCaret, area);
  });
  // What is deleted, or split, leaves its style to what is typed next.
  listeners.hear('beforeinput', (event, target) => {
    const { isTrusted, inputType } = event as InputEvent;
    const editor = isTrusted && /^(delete|insertParagraph)/.test(inputType) ? (target as HTMLElement) : null;
    if (editor?.isContentEditable === true && editor.querySelector(':not(br)') !== null) keepsStyle = true;
  });
  listeners.hear('input', (event, target) => {
    const { isTrusted, inputType } = event as InputEvent;
    if (!isTrusted || target === null) return;
    if (isWithoutCaret(target as Element)) noteInput(event as InputEvent, target as HTMLInputElement);
    else if (inputType === 'insertText') memory = null;
  });
  listeners.hear('reset', (_, target) => {
    // A reset gives it another mode, which no script can read.
    const root = (target as Element).getRootNode() as Partial<Document>;
    if (root.querySelector?.('output') !== null) onLasting('an <output> in a page where a form was reset');
  });
  listeners.hear('focusin', (_, target) => {
    if (target !== null) atEnd.delete(target);
  });
  return {
    radioChanges,
    remembered() {
      isKeptOpen ||= cancels.some(({ defaultPrevented }) => defaultPrevented);
      cancels = [];
      if (isKeptOpen) return 'a dialog that a script kept open';
      // Without the focus it is forgotten.
      if (memory !== null && (memory.target.getRootNode() as Partial<Document>).activeElement !== memory.target)
        memory = null;
      if (keepsStyle) isStyled = sameSelection(document);
      else if (isStyled?.() === false) isStyled = null;
      keepsStyle = false;
      if (movesByLine) isOnLine = sameSelection(document);
      else if (isOnLine?.() === false) isOnLine = null;
      movesByLine = false;
      if (isStyled !== null) return typingStyle;
      if (isOnLine !== null) return movedCaret;
      if (memory?.what === placedCaret && isAtAnEnd(memory.target)) return null;
      if (memory?.what === hiddenCaret && isEmptyNumber(memory.target as HTMLInputElement)) return null;
      return memory?.what ?? null;
    },
    forget() {
      memory = null;
      [isStyled, keepsStyle] = [null, false];
      [isOnLine, movesByLine] = [null, false];
    },
    restored() {
      if (pressed === 'here') pressed = 'in a branch';
    },
  };
}
