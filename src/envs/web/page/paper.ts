import type { NodeRecord, PaperRecord } from './keeper.ts';

/** Keeps and puts back the document, node by node: the very nodes, so that whoever holds one still holds it. Runs in the page. */
// oxlint-disable-next-line max-lines-per-function -- sent to the page as one text
export function installPaper(): void {
  const keeper = globalThis.espalierKeeper;
  const { mix, mixText } = keeper;
  const scrolled = new Set<Element>();
  const lastRecord = new WeakMap<Node, NodeRecord>();
  const noText: readonly string[] = [];
  const noNodes: readonly Node[] = [];
  const beyond = new Set(['IFRAME', 'FRAME', 'CANVAS', 'VIDEO', 'AUDIO', 'OBJECT', 'EMBED']);

  function areSame(one: readonly unknown[], other: readonly unknown[]): boolean {
    if (one.length !== other.length) return false;
    for (let index = 0; index < one.length; index++) if (one[index] !== other[index]) return false;
    return true;
  }

  function attributesOf(element: Element): readonly string[] {
    const names = element.getAttributeNames();
    if (names.length === 0) return noText;
    const found: string[] = [];
    for (const name of names) found.push(name, element.getAttribute(name) as string);
    return found;
  }

  function heldBy(element: Element): string {
    switch (element.tagName) {
      case 'INPUT': {
        const { value, checked, indeterminate, type } = element as HTMLInputElement;
        return type === 'file' ? '' : `${checked ? 1 : 0}${indeterminate ? 1 : 0}${value}`;
      }
      case 'TEXTAREA':
        return (element as HTMLTextAreaElement).value;
      case 'SELECT':
        return [...(element as HTMLSelectElement).options].map(option => (option.selected ? 1 : 0)).join('');
      case 'DIALOG':
        return element.matches(':modal') ? 'modal' : '';
      default:
        return '';
    }
  }

  function hold(element: Element, held: string): void {
    if (element.tagName === 'INPUT') {
      const input = element as HTMLInputElement;
      if (input.type === 'file') return;
      if (input.value !== held.slice(2)) input.value = held.slice(2);
      input.checked = held[0] === '1';
      input.indeterminate = held[1] === '1';
    } else if (element.tagName === 'TEXTAREA') (element as HTMLTextAreaElement).value = held;
    else if (element.tagName === 'SELECT') {
      for (const [index, option] of [...(element as HTMLSelectElement).options].entries())
        option.selected = held[index] === '1';
    } else if (element.tagName === 'DIALOG') holdDialog(element as HTMLDialogElement, held === 'modal');
  }

  function holdDialog(dialog: HTMLDialogElement, isModal: boolean): void {
    if (dialog.matches(':modal') === isModal) return;
    const wasOpen = dialog.open;
    dialog.open = false;
    dialog.close();
    if (isModal) dialog.showModal();
    else dialog.open = wasOpen;
  }

  function childrenOf(node: Node): readonly Node[] {
    if (!node.hasChildNodes()) return noNodes;
    const found: Node[] = [];
    for (let child = node.firstChild; child !== null; child = child.nextSibling) found.push(child);
    return found;
  }

  function recordOf(node: Node): NodeRecord {
    const last = lastRecord.get(node);
    const isElement = node.nodeType === 1;
    const element = node as Element;
    const attributes = isElement ? attributesOf(element) : node.nodeType === 3 ? (node as Text).data : noText;
    const children = childrenOf(node);
    const listeners = keeper.listeners.of(node);
    const held = isElement ? heldBy(element) : '';
    const isSame =
      last !== undefined &&
      last.listeners === listeners &&
      last.held === held &&
      (typeof attributes === 'string'
        ? attributes === last.attributes
        : areSame(attributes, last.attributes as string[])) &&
      areSame(children, last.children);
    if (isSame) return last;
    const words = typeof attributes === 'string' ? [attributes] : attributes;
    const hash = [node.nodeName, ...words, held].reduce(mixText, 3);
    const record = { attributes, children, listeners, held, hash };
    lastRecord.set(node, record);
    return record;
  }

  /** Asking every element how far it is scrolled costs more than all the rest: those that ever were are known. */
  function watchScrolling(): void {
    const note = (target: EventTarget | null): void => {
      for (
        let at = target === document ? document.scrollingElement : target;
        at instanceof Element;
        at = at.parentElement
      )
        scrolled.add(at);
    };
    keeper.listeners.hear('scroll', ({ target }) => note(target));
    const methods = Element.prototype as unknown as Record<string, (this: Element, ...values: unknown[]) => unknown>;
    for (const name of ['scrollTo', 'scroll', 'scrollBy', 'scrollIntoView']) {
      const real = methods[name] as (this: Element, ...values: unknown[]) => unknown;
      methods[name] = function (this: Element, ...values) {
        note(this);
        return real.apply(this, values);
      };
    }
    for (const name of ['scrollTop', 'scrollLeft']) {
      const member = Object.getOwnPropertyDescriptor(Element.prototype, name) as PropertyDescriptor;
      Object.defineProperty(Element.prototype, name, {
        ...member,
        set(this: Element, value: unknown) {
          note(this);
          member.set?.call(this, value);
        },
      });
    }
  }

  function scrollsNow(): PaperRecord['scrolls'] {
    const found: [Element, number, number][] = [];
    for (const element of scrolled) {
      if (!element.isConnected) scrolled.delete(element);
      else if (element.scrollTop !== 0 || element.scrollLeft !== 0)
        found.push([element, element.scrollLeft, element.scrollTop]);
    }
    return found;
  }

  function signatureOf(listeners: NodeRecord['listeners']): string {
    return listeners.map(one => `${one.type}${one.capture ? '!' : ''}${nameOf(one.listener)}`).join();
  }

  function nameOf(listener: EventListenerOrEventListenerObject): string {
    return typeof listener === 'function' ? `${listener.name}/${listener.length}` : 'object';
  }

  function capture(): PaperRecord {
    const nodes: Node[] = [document];
    const records: NodeRecord[] = [];
    const laden: Node[] = [];
    let [left, right, sealed, unsupported] = [5, 7, 11, null as string | null];
    for (let index = 0; index < nodes.length; index++) {
      const node = nodes[index] as Node;
      const record = recordOf(node);
      records.push(record);
      for (const child of record.children) nodes.push(child);
      left = mix(mix(left, record.hash), record.children.length);
      right = mix(right, record.hash ^ index);
      if (record.listeners.length > 0) sealed = mixText(mix(sealed, index), signatureOf(record.listeners));
      if (node.nodeType !== 1) continue;
      if (Object.keys(node).length > 0) laden.push(node);
      const { tagName, shadowRoot } = node as Element;
      if (shadowRoot !== null) unsupported = 'a shadow root';
      if (beyond.has(tagName)) unsupported = `an element ${tagName.toLowerCase()}`;
    }
    const active = document.activeElement;
    const focus = active === null || active === document.body ? -1 : nodes.indexOf(active);
    const selection = selectionIn(active);
    const scrolls = scrollsNow();
    const distances = scrolls.map(([element, ...by]) => `${nodes.indexOf(element)} ${by.join()}`).toSorted();
    const windows = signatureOf(keeper.listeners.of(globalThis));
    sealed = [windows, String(focus), String(selection), ...distances].reduce(mixText, sealed);
    return {
      nodes,
      records,
      laden,
      scrolls,
      focus,
      selection,
      unsupported,
      hash: `${left >>> 0} ${right >>> 0}`,
      sealed: String(sealed >>> 0),
    };
  }

  function selectionIn(active: Element | null): readonly [number, number] | null {
    try {
      const { selectionStart, selectionEnd } = (active ?? {}) as Partial<HTMLInputElement>;
      return typeof selectionStart === 'number' ? [selectionStart, selectionEnd ?? selectionStart] : null;
    } catch {
      return null;
    }
  }

  function putAttributes(element: Element, wanted: readonly string[]): void {
    if (areSame(attributesOf(element), wanted)) return;
    const names = new Set(wanted.filter((_, index) => index % 2 === 0));
    // The order of attributes can be seen: where it differs, all are put in anew.
    const now = element.getAttributeNames();
    const isOrdered = areSame(now, Array.from(names));
    for (const name of now) if (!isOrdered || !names.has(name)) element.removeAttribute(name);
    for (let index = 0; index < wanted.length; index += 2) {
      const [name, value] = [wanted[index] as string, wanted[index + 1] as string];
      if (element.getAttribute(name) !== value) element.setAttribute(name, value);
    }
  }

  function putChildren(parent: Node, wanted: readonly Node[]): void {
    let at = parent.firstChild;
    for (const child of wanted) {
      if (child === at) at = at.nextSibling;
      else parent.insertBefore(child, at);
    }
    while (at !== null) {
      const next: ChildNode | null = at.nextSibling;
      parent.removeChild(at);
      at = next;
    }
  }

  function putNode(node: Node, record: NodeRecord): void {
    const { attributes, children, listeners } = record;
    if (typeof attributes === 'string') {
      if ((node as Text).data !== attributes) (node as Text).data = attributes;
    } else if (node.nodeType === 1) putAttributes(node as Element, attributes);
    putChildren(node, children);
    keeper.listeners.put(node, listeners);
    lastRecord.set(node, record);
  }

  function restore({ nodes, records, scrolls, focus, selection }: PaperRecord): boolean {
    for (const [index, node] of nodes.entries()) putNode(node, records[index] as NodeRecord);
    for (const [index, node] of nodes.entries()) {
      const { held } = records[index] as NodeRecord;
      if (node.nodeType === 1 && heldBy(node as Element) !== held) hold(node as Element, held);
    }
    const hasScrolled = putScrolls(scrolls);
    const active = nodes[focus] as HTMLElement | undefined;
    if (active === undefined) (document.activeElement as HTMLElement | null)?.blur();
    else if (document.activeElement !== active) active.focus({ preventScroll: true });
    if (selection !== null) (active as HTMLInputElement).setSelectionRange(selection[0], selection[1]);
    return hasScrolled;
  }

  function putScrolls(wanted: PaperRecord['scrolls']): boolean {
    const distances = new Map(wanted.map(([element, left, top]) => [element, { left, top }]));
    let changed = false;
    for (const element of new Set([...scrolled, ...distances.keys()])) {
      const { left, top } = distances.get(element) ?? { left: 0, top: 0 };
      if (element.scrollTop === top && element.scrollLeft === left) continue;
      changed = true;
      element.scrollTo({ left, top, behavior: 'instant' });
    }
    return changed;
  }

  watchScrolling();
  keeper.paper = { capture, restore };
}
