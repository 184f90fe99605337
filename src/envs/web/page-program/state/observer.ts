import type { PageView } from '../page-records.ts';
import { createCovers } from '../covers.ts';
import type { MainWindow, PageListeners, PageShadowRoots } from '../parts.ts';
import { childrenOf, createElementNames, fields, inline, skipped, wrapped } from './element-names.ts';
import { roleOf } from './element-roles.ts';
import { createHasher } from './hash.ts';

export interface ObserverOptions {
  readonly main: MainWindow;
  readonly listeners: PageListeners;
  /** In a page that we draw, there are none. */
  readonly roots?: PageShadowRoots;
  /** In a page that we draw, what can be acted on says so. */
  readonly isOurs: boolean;
}

/** What people act on, whatever listens around it. */
const controls =
  'a[href],button,input,select,textarea,summary,[tabindex],[onclick],[role=button],[role=link],[role=tab]';
/** No element has a use for so many kinds of events: it hears them for others. */
const manyKinds = 10;

/** Reads the page as an accessibility tree in the form that screens of ours have. */
export interface PageObserver {
  /** Unmeasured, it does not ask where all the elements lie that have no number. */
  look(isUnmeasured?: boolean): PageView;
  /** The elements of the last look, in the order of their numbers. */
  elements(): readonly Element[];
  restoreElements(elements: readonly Element[]): void;
}

export function createObserver({ main, listeners, roots, isOurs }: ObserverOptions): PageObserver {
  const { document } = main;
  let elements: readonly Element[] = [];
  const pressable = new Set('button link tab menuitem checkbox radio switch textbox combobox'.split(' '));
  let found: Element[] = [];
  let text = '';
  let run = '';
  let modal: Element | null = null;
  let cover: Element | null = null;
  const covers = createCovers(main);
  const { nameOf, valueOf, statesOf } = createElementNames({ main, isOurs, roots, isShown });
  let hasInert = false;

  const onLine = (value: string): string => value.replaceAll('\n', ' ⏎ ');

  /** Under a dialog that has to be answered first, and where the page says so, nothing can be acted on. */
  function isInert(element: Element): boolean {
    if (modal !== null && !isWithin(element, modal)) return true;
    if (cover !== null && covers.isBehind(element, cover)) return true;
    return hasInert && element.closest('[inert]') !== null;
  }

  function isWithin(element: Element, around: Element): boolean {
    for (let at: Element | null = element; at !== null; at = (at.getRootNode() as Partial<ShadowRoot>).host ?? null)
      if (around.contains(at)) return true;
    return false;
  }

  /** What anybody would take for something to click, though nothing says so. */
  function isPressable(element: Element): boolean {
    if (isOurs) return element.hasAttribute('data-ref');
    if (isMadePressable(element)) return true;
    if (cursorOf(element) !== 'pointer') return false;
    const { parentElement } = element;
    return parentElement === null || cursorOf(parentElement) !== 'pointer' || isLinkByLooks(element);
  }

  function isMadePressable(element: Element): boolean {
    if (element.hasAttribute('onclick') || (element as HTMLElement).tabIndex >= 0) return true;
    if (holdsHandler(element)) return true;
    const heard = listeners.of(element);
    if (!heard.some(({ type }) => /^(on)?(click|mousedown|pointerdown)$/.test(type))) return false;
    return cursorOf(element) === 'pointer' || !hearsForOthers(element, new Set(heard.map(({ type }) => type)).size);
  }

  /** What listens at the root calls handlers that it finds on elements: Solid by a name, Svelte by a symbol. No getter is called. */
  function holdsHandler(element: Element): boolean {
    if (Object.hasOwn(element, '$$click') || Object.hasOwn(element, '$$mousedown')) return true;
    return Object.getOwnPropertySymbols(element).some(key => {
      if (key.description !== 'events') return false;
      const handlers = Object.getOwnPropertyDescriptor(element, key)?.value as unknown;
      return typeof handlers === 'object' && handlers !== null && Object.hasOwn(handlers, 'click');
    });
  }

  /** Frameworks listen at the root of their app, and scripts at a list, for what lies in it. */
  function hearsForOthers(element: Element, kinds: number): boolean {
    if (kinds >= manyKinds) return true;
    const held = element.querySelectorAll(controls).length;
    return held > 1 || (held === 1 && isAllOfPage(element));
  }

  function isAllOfPage(element: Element): boolean {
    if (element.parentElement !== document.body) return false;
    return [...document.body.children].every(
      other => other === element || skipped.has(other.tagName.toUpperCase()) || !isShown(other),
    );
  }

  /** A link without an address, in a row that only looks as if it could be clicked: often the link alone can. */
  function isLinkByLooks(element: Element): boolean {
    if (element.tagName !== 'A' || cursorOf(element) !== 'pointer') return false;
    for (let at = element.parentElement; at !== null && cursorOf(at) === 'pointer'; at = at.parentElement)
      if (isMadePressable(at) || roleOf(at) === 'link' || roleOf(at) === 'button') return false;
    return true;
  }

  /** Asked more than once of most elements in one look. */
  let shown = new Map<Element, boolean>();
  let cursors = new Map<Element, string>();

  function isShown(element: Element): boolean {
    const before = shown.get(element);
    if (before !== undefined) return before;
    const isIt =
      element.getAttribute('aria-hidden') !== 'true' &&
      (element.checkVisibility({ visibilityProperty: true }) || isBoxless(element));
    shown.set(element, isIt);
    return isIt;
  }

  /** Slots, and what says so in its style, have no box of their own: what they hold is drawn. */
  function isBoxless(element: Element): boolean {
    const { display, visibility } = main.getComputedStyle(element);
    return display === 'contents' && visibility === 'visible';
  }

  function cursorOf(element: Element): string {
    let cursor = cursors.get(element);
    if (cursor === undefined) {
      ({ cursor } = main.getComputedStyle(element));
      cursors.set(element, cursor);
    }
    return cursor;
  }

  function flush(indent: string): void {
    const line = run.replaceAll(/\s+/g, ' ').trim();
    run = '';
    if (line !== '') text += `${indent}${line}\n`;
  }

  function write(element: Element, role: string, indent: string): void {
    flush(indent);
    const name = nameOf(element, role);
    const value = valueOf(element, role);
    const marks = statesOf(element);
    let line = indent;
    if (
      (isPressable(element) || (!isOurs && pressable.has(role))) &&
      !marks.includes('disabled') &&
      !isInert(element)
    ) {
      found.push(element);
      line += `[e${found.length}] `;
    }
    if (name === undefined) line += role;
    else line += role === 'text' ? onLine(name) : `${role} "${onLine(name)}"`;
    if (value !== undefined) line += value === '' ? ': (empty)' : `: ${onLine(value)}`;
    if (element.tagName === 'SELECT')
      line += ` {${[...(element as HTMLSelectElement).options].map(option => option.label).join(' | ')}}`;
    text += `${line}${marks.map(mark => ` (${mark})`).join('')}\n`;
  }

  /** Whether there is more in an element than the text that its name says. */
  function holdsMore(element: Element): boolean {
    if (element.childElementCount === 0) return false;
    if (element.querySelector('a[href],button,input,select,textarea,[role],[tabindex],[onclick]') !== null) return true;
    return !isOurs && [...element.querySelectorAll('a')].some(isLinkByLooks);
  }

  function visit(element: Element, indent: string): void {
    if (skipped.has(element.tagName.toUpperCase()) || !isShown(element)) return;
    if (element.tagName === 'LABEL') return visitLabel(element as HTMLLabelElement, indent);
    // It names the fields around it.
    if (element.tagName === 'LEGEND' && element.parentElement?.tagName === 'FIELDSET') return undefined;
    if (element.tagName === 'IMG') run += ` ${(element as HTMLImageElement).alt} `;
    else if (element.getAttribute('role') === 'img') run += ` ${element.getAttribute('aria-label') ?? ''} `;
    const role = roleOf(element);
    if (role === null && isPressable(element)) {
      write(element, 'button', indent);
      if (holdsMore(element)) visitChildren(element, `${indent}  `);
    } else if (role === null) visitPlain(element, indent);
    else if (role === 'cell' && holdsMore(element)) visitPlain(element, indent);
    else {
      write(element, role, indent);
      const isWhole = fields.has(role) || (wrapped.has(role) && !holdsMore(element));
      if (!isWhole) visitChildren(element, `${indent}  `);
    }
  }

  /** The text of a label is the name of its control; one that stands for a hidden control is that control. */
  function visitLabel(label: HTMLLabelElement, indent: string): void {
    const { control } = label;
    if (control === null) return visitPlain(label, indent);
    if (!isShown(control)) return write(label, 'button', indent);
    if (!label.contains(control)) return;
    for (const inner of label.querySelectorAll('input,select,textarea,button')) visit(inner, indent);
  }

  function visitPlain(element: Element, indent: string): void {
    const isInline = inline.has(element.tagName);
    if (!isInline) flush(indent);
    visitChildren(element, indent, isInline);
  }

  function visitChildren(element: Element, indent: string, isInline = false): void {
    for (const child of childrenOf(element, roots)) {
      if (child.nodeType === 3) run += (child as Text).data;
      else if (child.nodeType === 1) visit(child as Element, indent);
    }
    if (!isInline) flush(indent);
  }

  /** Where everything lies and whether it can be seen, also what has no name and no number. */
  function appearance(): string {
    const hasher = createHasher(null);
    if (isOurs || document.body === null) return '';
    const lists = [
      document.body.getElementsByTagName('*'),
      ...(roots?.shown() ?? []).map(root => root.querySelectorAll('*')),
    ];
    for (const all of lists)
      for (let index = 0; index < all.length; index++) {
        const element = all[index] as Element;
        const { x, y, width, height } = element.getBoundingClientRect();
        for (const side of [x, y, width, height]) hasher.number(Math.round(side * 16));
        if (width > 0 && height > 0) hasher.number(Number(isSeen(element)));
      }
    return hasher.word();
  }

  function isSeen(element: Element): boolean {
    return element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  }

  /** What has the focus, in shadow roots too. */
  function activeElement(): Element | null {
    if (roots !== undefined) return roots.activeElement();
    let active = document.activeElement;
    for (let root = active?.shadowRoot ?? null; root !== null; root = active?.shadowRoot ?? null) {
      if (root.activeElement === null) break;
      active = root.activeElement;
    }
    return active;
  }

  const look = (isUnmeasured = false): PageView => {
    [found, text, run] = [[], `page "${onLine(document.title)}"\n`, ''];
    [shown, cursors] = [new Map(), new Map()];
    if (!isOurs) {
      modal = (roots?.find('dialog:modal') ?? []).at(-1) ?? null;
      cover = modal === null ? covers.find() : null;
      hasInert = document.querySelector('[inert]') !== null;
    }
    if (document.body !== null) visitChildren(document.body, '  ');
    elements = found;
    const focused = found.indexOf(activeElement() as Element);
    return {
      text,
      scroll: { x: main.scrollX, y: main.scrollY },
      focus: focused < 0 ? null : `e${focused + 1}`,
      boxes: found.map(element => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return { x, y, width, height };
      }),
      appearance: isUnmeasured ? '' : appearance(),
    };
  };
  return {
    look,
    elements: () => elements,
    restoreElements(wanted) {
      elements = wanted;
    },
  };
}
