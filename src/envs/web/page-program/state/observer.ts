import type { PageView } from '../page-records.ts';
import { isChosenByClass } from '../class-states.ts';
import { createCovers } from '../covers.ts';
import type { MainWindow, PageListeners } from '../parts.ts';
import { createHasher } from './hash.ts';

export interface ObserverOptions {
  readonly main: MainWindow;
  readonly listeners: PageListeners;
  /** In a page that we draw, what can be acted on says so. */
  readonly isOurs: boolean;
}

/** Reads the page as an accessibility tree in the form that screens of ours have. */
export interface PageObserver {
  /** Unmeasured, it does not ask where all the elements lie that have no number. */
  look(isUnmeasured?: boolean): PageView;
  /** The elements of the last look, in the order of their numbers. */
  elements(): readonly Element[];
  restoreElements(elements: readonly Element[]): void;
}

// oxlint-disable-next-line max-lines-per-function -- one closure over the state of the part
export function createObserver({ main, listeners, isOurs }: ObserverOptions): PageObserver {
  const { document } = main;
  const getComputedStyle = (element: Element): CSSStyleDeclaration => main.getComputedStyle(element);
  let elements: readonly Element[] = [];
  const skipped = new Set(
    'SCRIPT STYLE TEMPLATE NOSCRIPT HEAD META LINK TITLE BASE SVG PATH COLGROUP OPTION'.split(' '),
  );
  const inline = new Set(
    'SPAN B I EM STRONG SMALL LABEL CODE SUB SUP U MARK ABBR TIME FONT BDI BDO KBD Q S VAR WBR BR A'.split(' '),
  );
  const wrapped = new Set('heading text cell alert status button link tab menuitem'.split(' '));
  const fields = new Set('textbox combobox checkbox radio switch'.split(' '));
  const pressable = new Set('button link tab menuitem checkbox radio switch textbox combobox'.split(' '));
  const states = ['checked', 'current', 'disabled', 'expanded', 'invalid', 'required', 'selected'] as const;
  const tags: Record<string, string> = {
    BUTTON: 'button',
    SUMMARY: 'button',
    SELECT: 'combobox',
    TEXTAREA: 'textbox',
    NAV: 'navigation',
    HEADER: 'banner',
    MAIN: 'region',
    ASIDE: 'region',
    FORM: 'form',
    UL: 'list',
    OL: 'list',
    LI: 'listitem',
    TABLE: 'table',
    TR: 'row',
    TD: 'cell',
    TH: 'cell',
    DIALOG: 'dialog',
    P: 'text',
  };
  const roles: Record<string, string> = {
    option: 'menuitem',
    menuitemcheckbox: 'menuitem',
    menuitemradio: 'menuitem',
    menubar: 'menu',
    listbox: 'list',
    tree: 'list',
    treeitem: 'listitem',
    grid: 'table',
    treegrid: 'table',
    gridcell: 'cell',
    columnheader: 'cell',
    rowheader: 'cell',
    slider: 'textbox',
    spinbutton: 'textbox',
    searchbox: 'textbox',
    main: 'region',
    article: 'region',
    group: 'region',
    tabpanel: 'region',
    complementary: 'region',
    contentinfo: 'region',
    tablist: 'toolbar',
    alertdialog: 'dialog',
    paragraph: 'text',
    tooltip: 'status',
    log: 'status',
  };
  const known = new Set([
    ...Object.values(tags),
    ...Object.values(roles),
    ...'toolbar search menu heading alert status tab checkbox radio switch link'.split(' '),
  ]);
  let found: Element[] = [];
  let text = '';
  let run = '';
  let modal: Element | null = null;
  let cover: Element | null = null;
  const covers = createCovers(main);
  let hasInert = false;

  const onLine = (value: string): string => value.replaceAll('\n', ' ⏎ ');

  function roleOf(element: Element): string | null {
    const given = element.getAttribute('role')?.split(' ', 1)[0];
    if (given === 'none' || given === 'presentation' || given === 'generic') return null;
    const role = given === undefined ? undefined : (roles[given] ?? given);
    if (role !== undefined && known.has(role)) return role;
    const { tagName } = element;
    if (tagName === 'INPUT') return inputRole((element as HTMLInputElement).type);
    if (tagName === 'A') return element.hasAttribute('href') ? 'link' : null;
    if (/^H[1-6]$/.test(tagName)) return 'heading';
    if (tagName === 'SECTION') return element.hasAttribute('aria-label') ? 'region' : null;
    return tags[tagName] ?? ((element as HTMLElement).isContentEditable && isEditingHost(element) ? 'textbox' : null);
  }

  function inputRole(type: string): string | null {
    if (type === 'hidden') return null;
    if (type === 'checkbox' || type === 'radio') return type;
    return ['button', 'submit', 'reset', 'image', 'file'].includes(type) ? 'button' : 'textbox';
  }

  function isEditingHost(element: Element): boolean {
    return (element.parentElement as HTMLElement | null)?.isContentEditable !== true;
  }

  /** Under a dialog that has to be answered first, and where the page says so, nothing can be acted on. */
  function isInert(element: Element): boolean {
    if (modal !== null && !modal.contains(element)) return true;
    if (cover !== null && covers.isBehind(element, cover)) return true;
    return hasInert && element.closest('[inert]') !== null;
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
    return listeners.of(element).some(({ type }) => /^(on)?(click|mousedown|pointerdown)$/.test(type));
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
      element.getAttribute('aria-hidden') !== 'true' && element.checkVisibility({ visibilityProperty: true });
    shown.set(element, isIt);
    return isIt;
  }

  function cursorOf(element: Element): string {
    let cursor = cursors.get(element);
    if (cursor === undefined) {
      ({ cursor } = getComputedStyle(element));
      cursors.set(element, cursor);
    }
    return cursor;
  }

  /** The text in an element, as it is seen. */
  function contentOf(element: Element): string {
    const whole = textIn(element);
    if (isOurs) return whole;
    if (!/\s\s|\n|\t/.test(whole)) return whole.trim();
    return getComputedStyle(element).whiteSpace.startsWith('pre') ? whole : whole.replaceAll(/\s+/g, ' ').trim();
  }

  function textIn(node: Node): string {
    let all = '';
    for (const child of node.childNodes) {
      if (child.nodeType === 3) all += (child as Text).data;
      else if (child.nodeType === 1 && !skipped.has((child as Element).tagName) && isShown(child as Element)) {
        const label = (child as Element).tagName === 'IMG' ? ((child as HTMLImageElement).alt ?? '') : textIn(child);
        all += inline.has((child as Element).tagName) ? label : ` ${label} `;
      }
    }
    return all;
  }

  function nameOf(element: Element, role: string): string | undefined {
    const label = element.getAttribute('aria-label');
    if (label !== null) return label;
    const others = element.getAttribute('aria-labelledby');
    if (others !== null) return others.split(/\s+/).map(labelText).join(' ');
    if (fields.has(role)) return fieldName(element);
    if (!wrapped.has(role)) return undefined;
    const { value, alt } = element as HTMLInputElement;
    if (element.tagName === 'INPUT') return value || alt || 'Submit';
    const content = contentOf(element);
    const title = element.getAttribute('title') ?? '';
    // A sign shows a state, and its title says what it does: ☆ Star.
    if (content !== '' && title !== '' && !isOurs && !/[\p{L}\p{N}]{2}/u.test(content)) return `${content} ${title}`;
    return content || title || pictureName(element);
  }

  function labelText(id: string): string {
    const other = document.getElementById(id);
    return other === null ? '' : contentOf(other);
  }

  function fieldName(element: Element): string {
    const { labels, name, placeholder } = element as HTMLInputElement;
    const label = labels?.[0];
    if (label !== undefined && label !== null) return contentOf(label);
    return (
      placeholder ||
      element.getAttribute('title') ||
      (element.tagName === 'INPUT' ? '' : contentOf(element)) ||
      name ||
      ''
    );
  }

  /** An icon says what it is in a title, a class or a data attribute, if at all. */
  function pictureName(element: Element): string {
    const title = element.querySelector('svg title, [alt], [title], [aria-label]');
    const said = title?.getAttribute('aria-label') ?? title?.getAttribute('alt') ?? title?.getAttribute('title');
    return said ?? title?.textContent ?? (element as HTMLElement).dataset['action'] ?? '';
  }

  function valueOf(element: Element, role: string): string | undefined {
    const said = isOurs ? (element as HTMLElement).dataset['value'] : undefined;
    if (said !== undefined) return said;
    if (role === 'combobox' && element.tagName === 'SELECT') return selected(element as HTMLSelectElement);
    if (role !== 'textbox' && role !== 'combobox') return undefined;
    if (element.tagName !== 'INPUT' && element.tagName !== 'TEXTAREA')
      return (
        element.getAttribute('aria-valuetext') ?? element.getAttribute('aria-valuenow') ?? element.textContent ?? ''
      );
    const { type, value } = element as HTMLInputElement;
    return type === 'password' ? '•'.repeat(value.length) : value;
  }

  function selected({ multiple, selectedOptions }: HTMLSelectElement): string {
    const chosen = [...selectedOptions].map(option => option.label);
    return multiple ? chosen.join(', ') : (chosen[0] ?? '');
  }

  function statesOf(element: Element): readonly string[] {
    const said = (element as HTMLElement).dataset['states'];
    if (said !== undefined) return said === '' ? [] : said.split(' ');
    const control = element as HTMLInputElement;
    const on: Record<(typeof states)[number], boolean> = {
      checked: control.checked === true || element.getAttribute('aria-checked') === 'true',
      current: (element.getAttribute('aria-current') ?? 'false') !== 'false',
      disabled: isDisabled(element),
      expanded: element.getAttribute('aria-expanded') === 'true' || isOpenSummary(element),
      invalid: element.getAttribute('aria-invalid') === 'true',
      required: control.required === true || element.getAttribute('aria-required') === 'true',
      selected: element.getAttribute('aria-selected') === 'true' || (!isOurs && isChosenByClass(element)),
    };
    return states.filter(state => on[state]);
  }

  function isDisabled(element: Element): boolean {
    return element.matches(':disabled') || element.getAttribute('aria-disabled') === 'true';
  }

  function isOpenSummary(element: Element): boolean {
    return element.tagName === 'SUMMARY' && (element.parentElement as HTMLDetailsElement | null)?.open === true;
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
    if (element.tagName === 'IMG') run += ` ${(element as HTMLImageElement).alt} `;
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
    for (const child of element.shadowRoot?.childNodes ?? element.childNodes) {
      if (child.nodeType === 3) run += (child as Text).data;
      else if (child.nodeType === 1) visit(child as Element, indent);
    }
    if (!isInline) flush(indent);
  }

  /** Where everything lies and whether it can be seen, also what has no name and no number. */
  function appearance(): string {
    const hasher = createHasher(null);
    if (isOurs || document.body === null) return '';
    const all = document.body.getElementsByTagName('*');
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

  const look = (isUnmeasured = false): PageView => {
    [found, text, run] = [[], `page "${onLine(document.title)}"\n`, ''];
    [shown, cursors] = [new Map(), new Map()];
    if (!isOurs) {
      modal = [...document.querySelectorAll('dialog:modal')].at(-1) ?? null;
      cover = modal === null ? covers.find() : null;
      hasInert = document.querySelector('[inert]') !== null;
    }
    if (document.body !== null) visitChildren(document.body, '  ');
    elements = found;
    const focused = found.indexOf(document.activeElement as Element);
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
