import type { TellRealClock } from './real-sources.ts';

/** Hears of an event before any script of the page. */
type Hear = (type: string, listener: (event: Event) => void) => void;

// Taken before it is watched.
const { apply } = Reflect;
const dateTypes: ReadonlySet<string> = new Set(['date', 'datetime-local', 'month', 'week']);
const opensPicker = /^( |F4)$/;
const steps = /^(ArrowUp|ArrowDown)$/;

/** The list of a key; also where a closed shadow root may hide one: its host has the keys, and cannot have the focus itself. */
function listOf(target: Element): Element | null {
  const list = target.closest('select');
  if (list !== null) return list;
  const { tabIndex = 0, isContentEditable = false } = target as Partial<HTMLElement>;
  const isHost = tabIndex < 0 && !isContentEditable && !target.hasAttribute('tabindex');
  return isHost && target !== target.ownerDocument.body && target !== target.ownerDocument.documentElement
    ? target
    : null;
}

/**
 * Tells of keys that the browser answers by the real clock. A list joins letters that are typed within a second, and so do
 * the names in a date or time field. A date field without a value starts at the current year, and its picker at today.
 */
export function watchTimedKeys(hear: Hear, tell: TellRealClock): void {
  const typed = new WeakSet<Element>();
  const [isTyped, noteTyped] = [typed.has.bind(typed), typed.add.bind(typed)];

  function noteLetter(field: Element): void {
    if (isTyped(field)) tell('two letters typed into a list: the browser joins them by the real clock');
    noteTyped(field);
  }

  function noteDateKey({ type, value }: HTMLInputElement, { key, altKey }: KeyboardEvent): void {
    if (!dateTypes.has(type)) return;
    if (opensPicker.test(key) || altKey) tell('a date picker, which shows the real date');
    else if (steps.test(key) && value === '')
      tell('an arrow key in an empty date field, which starts at the real date');
  }

  hear('keydown', event => {
    const { isTrusted, key, ctrlKey, metaKey } = event as KeyboardEvent;
    const target = event.composedPath()[0] as Element | undefined;
    if (!isTrusted || target?.nodeType !== 1 || typeof key !== 'string') return;
    const isInput = target.nodeName === 'INPUT';
    if (isInput) noteDateKey(target as HTMLInputElement, event as KeyboardEvent);
    if (key.length !== 1 || ctrlKey || metaKey) return;
    const { type } = target as HTMLInputElement;
    const hasNames = isInput && (dateTypes.has(type) || type === 'time') && !/[\d\s]/.test(key);
    const field = hasNames ? target : listOf(target);
    // A space alone opens a list; after a letter it is one more.
    if (field !== null && (key !== ' ' || isTyped(field))) noteLetter(field);
  });
}

/**
 * Looks for an open picker of a date or time; to be called when the page is at rest. It starts at the real date, and stays open
 * when the page is restored. The keys in it are shown to no script, and neither is the mouse. No script can replace what is
 * asked here. Whether the picker of a colour is open cannot be asked: any click on its field may have opened it.
 */
export function watchPickers(hear: Hear, tell: (what: string) => void): () => void {
  const { matches } = Element.prototype;
  const used = new Set<Element>();
  const [note, each] = [used.add.bind(used), used.forEach.bind(used)];
  const forget = used.clear.bind(used);
  const noteField = (event: Event): void => {
    const field = event.composedPath()[0] as HTMLInputElement | undefined;
    if (!event.isTrusted || field?.nodeName !== 'INPUT') return;
    if (dateTypes.has(field.type) || field.type === 'time') note(field);
    else if (field.type === 'color' && event.type === 'click')
      tell('a colour picker, whose keys are shown to no script');
  };
  for (const type of ['click', 'keydown']) hear(type, noteField);
  return () => {
    each(field => {
      if (apply(matches, field, [':open'])) tell('a date picker, which shows the real date');
    });
    forget();
  };
}

/** How deep scripts can call before the stack overflows is chance. Only what nobody catches is heard of. */
export function watchOverflows(hear: Hear, tell: (what: string) => void): void {
  hear('error', event => {
    const { isTrusted, message } = event as ErrorEvent;
    if (isTrusted && typeof message === 'string' && message.includes('Maximum call stack size exceeded'))
      tell('calls until the stack overflowed, at a depth that is chance');
  });
}
