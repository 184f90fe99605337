import type { ElementStyle, StyleElement, Piece } from './element-style.ts';
import type { RenderNode } from './render-node.ts';

/** Draws screens into the body of the document. */
export interface Renderer {
  /** Draws a screen over the one before; says whether it is another screen. */
  render(root: RenderNode): boolean;
}

export interface RendererOptions {
  readonly icons: Readonly<Record<string, string>>;
  readonly styleElement: StyleElement;
  /** Whether something newer was entered in a field than Node knows of. */
  isWaiting(field: Element): boolean;
}

/** Draws nodes as elements, and keeps the elements that stand for the same things. Sent to the page as text. */
export function createRenderer({ icons, styleElement: dress, isWaiting }: RendererOptions): Renderer {
  /** A node and what was drawn for it; `outer` holds `core` where a field has a label around it. */
  interface Drawn {
    readonly key: string;
    readonly kind: string;
    readonly outer: HTMLElement;
    readonly core: HTMLElement;
    attributes: ReadonlyMap<string, string>;
    pieces: string;
    words: string;
    text: readonly ChildNode[];
    options: string;
    value: string | undefined;
    /** What the field showed after it was given the value. */
    shown: string;
    children: readonly Drawn[];
  }
  type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

  const toggles = new Set(['checkbox', 'radio', 'switch']);
  const nativeRoles: Readonly<Record<string, string>> = {
    nav: 'navigation',
    h2: 'heading',
    p: 'paragraph',
    button: 'button',
    select: 'combobox',
    input: 'textbox',
    textarea: 'textbox',
  };
  /** A container or a text may be given another name; what people act on is another thing then. */
  const lasting = new Set(
    'banner navigation toolbar region form search menu list table heading text alert status cell'.split(' '),
  );
  const labelled = new Set('heading text alert status cell button link tab menuitem'.split(' '));
  let drawn: readonly Drawn[] = [];
  let screen = '';

  const isField = (element: unknown): element is Field =>
    element instanceof HTMLInputElement ||
    element instanceof HTMLTextAreaElement ||
    element instanceof HTMLSelectElement;
  const made = new Map<string, Element>();
  function iconElement(name: string): Node {
    let svg = made.get(name);
    if (svg === undefined) {
      svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
      svg.setAttribute('viewBox', '0 0 20 20');
      const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
      path.setAttribute('d', icons[name] ?? '');
      svg.append(path);
      made.set(name, svg);
    }
    return svg.cloneNode(true);
  }

  function pieceElement({ part, text, icon, amount }: Piece, isHidden: boolean): HTMLElement {
    const span = document.createElement('span');
    if (isHidden) span.setAttribute('aria-hidden', 'true');
    span.setAttribute('data-part', part);
    if (amount !== undefined) {
      span.setAttribute('data-amount', amount);
      if (amount.endsWith('%')) span.style.setProperty('--amount', amount);
    }
    if (icon !== undefined) span.append(iconElement(icon));
    if (text !== undefined) span.append(text);
    return span;
  }

  function attributesOf(node: RenderNode, { tag, look }: ElementStyle): Map<string, string> {
    const { role, name, value, states: own = [], options, children, ref } = node;
    const all = new Map<string, string>();
    const isControl = tag === 'input' || tag === 'textarea' || tag === 'select';
    const ariaRole = role === 'text' ? 'paragraph' : role;
    if (nativeRoles[tag] !== ariaRole) all.set('role', ariaRole);
    if (look !== '' && !isControl) all.set('data-look', look);
    if (name !== undefined && (!labelled.has(role) || children !== undefined)) all.set('aria-label', name);
    if (tag === 'input') all.set('type', 'text').set('autocomplete', 'off');
    if (isControl && tag !== 'select') all.set('spellcheck', 'false');
    if (look === 'seek') all.set('placeholder', name ?? '');
    if (value !== undefined && (!isControl || (tag === 'select' && options?.includes(value) !== true)))
      all.set('data-value', value);
    if (toggles.has(role)) all.set('aria-checked', 'false');
    for (const state of own) if (state !== 'unread') all.set(`aria-${state}`, state === 'current' ? 'page' : 'true');
    const isOff = own.includes('disabled') || (tag === 'select' && ref === undefined);
    if (isOff && (isControl || tag === 'button')) all.set('disabled', '');
    if (isControl && !isOff && ref === undefined) all.set('readonly', '');
    if (own.length > 0) all.set('data-states', own.join(' '));
    if (ref !== undefined) all.set('data-ref', ref);
    if (ref !== undefined && !isControl && tag !== 'button') all.set('tabindex', '0');
    if (role === 'dialog' && ref === undefined) all.set('tabindex', '-1');
    return all;
  }

  /** The order of attributes is the same however an element came about, so that equal screens have equal documents. */
  function setAttributes(drawing: Drawn, wanted: ReadonlyMap<string, string>): void {
    const { core, attributes } = drawing;
    const isSameSet = attributes.size === wanted.size && [...wanted.keys()].join() === [...attributes.keys()].join();
    if (!isSameSet) for (const name of attributes.keys()) core.removeAttribute(name);
    for (const [name, value] of wanted) {
      if (!isSameSet || attributes.get(name) !== value) core.setAttribute(name, value);
    }
    drawing.attributes = wanted;
  }

  /** Decoration comes first in an element, then its own words, then its children. */
  function setPieces(drawing: Drawn, { pieces, words }: ElementStyle): void {
    const decoration = JSON.stringify(pieces);
    const { outer, core } = drawing;
    if (decoration !== drawing.pieces) {
      for (const old of outer.querySelectorAll(':scope > [aria-hidden]')) old.remove();
      outer.prepend(...pieces.map(piece => pieceElement(piece, true)));
      drawing.pieces = decoration;
    }
    const text = JSON.stringify(words);
    if (text === drawing.words) return;
    for (const old of drawing.text) old.remove();
    drawing.text = words.map(word =>
      word.part === '' ? document.createTextNode(word.text ?? '') : pieceElement(word, false),
    );
    core.append(...drawing.text);
    drawing.words = text;
  }

  function setValue(drawing: Drawn, { value = '', options = [] }: RenderNode): void {
    const field = drawing.core as Field;
    // What was entered since is about to be told: it is newer than what Node knows.
    const isNewer = isWaiting(field);
    if (field instanceof HTMLSelectElement) {
      const offered = JSON.stringify(options);
      if (offered !== drawing.options) field.replaceChildren(...options.map(option => new Option(option, option)));
      drawing.options = offered;
      if (isNewer) return;
      const at = options.indexOf(value);
      if (field.selectedIndex !== at) field.selectedIndex = at;
      return;
    }
    if (isNewer || (value === drawing.value && field.value === drawing.shown)) return;
    const { selectionStart, selectionEnd } = field;
    field.value = value;
    if (document.activeElement === field) field.setSelectionRange(selectionStart, selectionEnd);
    drawing.value = value;
    drawing.shown = field.value;
  }

  function create(kind: string, key: string, { tag }: ElementStyle): Drawn {
    const core = document.createElement(tag);
    const outer = isField(core) ? document.createElement('label') : core;
    if (outer !== core) outer.append(core);
    if (tag === 'button') (core as HTMLButtonElement).type = 'button';
    const blank = {
      attributes: new Map<string, string>(),
      pieces: '[]',
      words: '[]',
      text: [],
      options: '',
      children: [],
    };
    return { key, kind, outer, core, ...blank, value: undefined, shown: '' };
  }

  function update(drawing: Drawn, node: RenderNode, { worn, isSame }: { worn: ElementStyle; isSame: boolean }): void {
    setPieces(drawing, worn);
    setAttributes(drawing, attributesOf(node, worn));
    if (isField(drawing.core)) {
      drawing.outer.setAttribute('data-look', worn.look);
      setValue(drawing, node);
    } else {
      drawing.children = arrange(drawing.core, drawing.children, { node, isSame });
    }
  }

  /** Draws the children of a node, with the elements that are there already as far as they stand for the same things. */
  function arrange(
    holder: Element,
    before: readonly Drawn[],
    { node, isSame }: { node: RenderNode; isSame: boolean },
  ): Drawn[] {
    const children = node.children ?? [];
    const worn = children.map(child => dress(child, node));
    const kinds = children.map(({ role }, index) => `${role} ${worn[index]?.tag ?? ''}`);
    const left = new Set(before);
    const take = (fits: (drawing: Drawn) => boolean): Drawn | undefined => {
      for (const drawing of left) {
        if (!fits(drawing)) continue;
        left.delete(drawing);
        return drawing;
      }
      return undefined;
    };
    const keys = children.map(({ name }, index) => `${kinds[index] ?? ''} ${name ?? ''}`);
    const kept = keys.map(key => take(drawing => drawing.key === key));
    const placed = children.map(({ role }, index) => {
      const [kind, key, look] = [kinds[index] ?? '', keys[index] ?? '', worn[index] as ElementStyle];
      const same = kept[index] ?? (isSame && lasting.has(role) ? take(drawing => drawing.kind === kind) : undefined);
      return same === undefined ? create(kind, key, look) : same.key === key ? same : { ...same, key };
    });
    for (const { outer } of left) outer.remove();
    let at = holder.firstElementChild;
    while (at?.getAttribute('aria-hidden') === 'true') at = at.nextElementSibling;
    placed.forEach((drawing, index) => {
      if (drawing.outer === at) at = at.nextElementSibling;
      else holder.insertBefore(drawing.outer, at);
      update(drawing, children[index] as RenderNode, { worn: worn[index] as ElementStyle, isSame });
    });
    return placed;
  }

  /** What makes a screen another one, to be read from the top. */
  function screenName({ name = '', children = [] }: RenderNode): string {
    const parts = children.filter(({ role }) => role !== 'alert' && role !== 'status');
    const within = parts.flatMap(part => part.children ?? []);
    const telling = within.filter(({ role }) => role === 'heading' || role === 'navigation');
    return [name, ...[...parts, ...telling].map(part => `${part.role} ${part.name ?? ''}`)].join('\n');
  }

  return {
    render(root) {
      const name = screenName(root);
      const isSame = name === screen;
      screen = name;
      drawn = arrange(document.body, drawn, { node: root, isSame });
      return !isSame;
    },
  };
}
