import type { InputMemory } from '../memory/input-memory.ts';
import type { LastingChanges } from '../memory/lasting-changes.ts';
import type { MainWindow, PageImages, PageListeners, PageShadowRoots } from '../parts.ts';
import type { PageHandedOut } from '../shims/handed-out.ts';
import { areSame, createAttributes, pairsOf } from './attributes.ts';
import { createElementLimits } from './element-limits.ts';
import { createHasher, type Neutral } from './hash.ts';
import type {
  DomRecord,
  DomRestored,
  FocusRecord,
  NodeRecord,
  PageDom,
  PageFields,
  PageFocus,
  PageScopes,
} from './records.ts';

export interface DomOptions {
  readonly main: MainWindow;
  readonly listeners: PageListeners;
  readonly images: PageImages;
  readonly roots: PageShadowRoots;
  readonly fields: PageFields;
  readonly focus: PageFocus;
  readonly scopes: PageScopes;
  readonly neutral: Neutral;
  readonly lasting: LastingChanges;
  readonly memory: InputMemory;
  readonly handedOut: PageHandedOut;
  /** Watches the document; gives what changed since it was last asked. */
  watch(told: (changes: readonly MutationRecord[]) => void): () => readonly MutationRecord[];
}

/** Links that load something as soon as they are in the document, and tell of it. */
const loading = ['stylesheet', 'preload', 'modulepreload', 'prefetch'].map(rel => `link[rel~="${rel}" i]`).join();

const loadedAgain = 'a style sheet or another link would have to be loaded again';
const imports = ({ localName, textContent }: Element): boolean =>
  localName === 'style' && textContent.toLowerCase().includes('@import');
const loadsAgain = (element: Element): boolean =>
  element.matches(loading) ||
  element.querySelector(loading) !== null ||
  [element, ...element.querySelectorAll('style')].some(imports);

/** Keeps and restores the document, node by node: the very nodes, so that whoever holds one still holds it. */
export function createDom(options: DomOptions): PageDom {
  const { main, listeners, fields, focus, scopes, neutral, lasting, memory, handedOut, watch } = options;
  const { roots: shadows } = options;
  const { definitionOf, limitOf } = createElementLimits({ main, fields, roots: shadows });
  const { document, Element } = main;
  const { Node } = main;
  const last = new WeakMap<Node, NodeRecord>();
  /** What was restored: where that is what is read, it is not kept a second time. */
  const expected = new WeakMap<Node, NodeRecord>();
  const noNodes: readonly Node[] = [];
  /** What changed since it was last read; the rest need not be read again. */
  let scripts = 0;
  const takeChanges = watch(noteChanged);
  const attributesIn = createAttributes(document, options);

  function noteChanged(changes: readonly MutationRecord[]): void {
    lasting.note(changes);
    forgetChanged(changes);
  }

  function forgetChanged(changes: readonly MutationRecord[]): void {
    for (const { target, addedNodes, removedNodes } of changes) {
      last.delete(target);
      if (target.nodeName === 'SCRIPT') scripts++;
      for (const node of addedNodes) forgetMoved(node);
      for (const node of removedNodes) forgetMoved(node);
    }
  }

  /** Scripts run when they are put into the document, even if they leave it again; in a template they do not. */
  function forgetMoved(node: Node): void {
    last.delete(node);
    if (node.nodeName === 'SCRIPT') scripts++;
    for (let child = node.firstChild; child !== null; child = child.nextSibling) forgetMoved(child);
  }

  /** Nobody tells what happens in a part that is not in the document. */
  function forgetBelow(node: Node): void {
    last.delete(node);
    const shadow = node.nodeType === 1 ? shadows.of(node as Element) : null;
    if (shadow !== null) forgetBelow(shadow);
    for (let child = node.firstChild; child !== null; child = child.nextSibling) forgetBelow(child);
  }

  function childrenOf(node: Node): readonly Node[] {
    if (!node.hasChildNodes()) return noNodes;
    const found: Node[] = [];
    for (let child = node.firstChild; child !== null; child = child.nextSibling) found.push(child);
    return found;
  }

  function recordOf(node: Node): NodeRecord {
    const before = last.get(node);
    const known = listeners.of(node);
    if (
      before !== undefined &&
      before.listeners === known &&
      (!before.isHolding || fields.heldBy(node as Element) === before.held)
    )
      return before;
    const now = read(node);
    const wanted = expected.get(node);
    const record = wanted !== undefined && isSame(now, wanted) ? wanted : now;
    last.set(node, record);
    lasting.know(node as Element);
    if (node.nodeType === 1) shadows.know(node as Element);
    return record;
  }

  function isSame(one: NodeRecord, other: NodeRecord): boolean {
    if (one.held !== other.held || one.listeners !== other.listeners || one.isCustom !== other.isCustom) return false;
    if (!areSame(one.children, other.children)) return false;
    if (typeof one.attributes === 'string') return one.attributes === other.attributes;
    return typeof other.attributes !== 'string' && areSame(one.attributes, other.attributes);
  }

  function read(node: Node): NodeRecord {
    const element = node.nodeType === 1 ? (node as Element) : null;
    const attributes = element === null ? textOf(node) : attributesIn.of(element);
    const shadow = element === null ? null : shadows.of(element);
    const definition = element === null ? '' : definitionOf(element);
    const isHolding = element !== null && fields.isHolding(element);
    const held = isHolding ? fields.heldBy(element) : '';
    const hasher = createHasher(neutral);
    hasher.text(node.nodeName);
    if (typeof attributes === 'string') hasher.text(attributes);
    else for (const pair of pairsOf(attributes).toSorted()) hasher.text(pair);
    hasher.text(held);
    if (shadow !== null) hasher.text(wordOfRoot(shadow));
    if (definition !== '') hasher.text(definition);
    return {
      attributes,
      children: childrenOf(node),
      listeners: listeners.of(node),
      isHolding,
      isTemplate: node.nodeName === 'TEMPLATE',
      shadow,
      isCustom: definition === 'defined',
      held,
      hash: hasher.value(),
      unsupported: element === null ? null : limitOf(element),
    };
  }

  function signatureOf(known: NodeRecord['listeners']): string {
    const word = ({ type, listener, ...one }: NodeRecord['listeners'][number]): string =>
      `${type}${one.capture ? '!' : ''}${typeof listener === 'function' ? scopes.wordOf(listener) : 'object'}`;
    return known.map(word).join();
  }

  function capture(): DomRecord {
    noteChanged(takeChanges());
    const nodes: Node[] = [];
    const records: NodeRecord[] = [];
    const roots: Node[] = [document];
    const adopted: [Document | ShadowRoot, readonly CSSStyleSheet[]][] = [];
    const [said, sealed] = [createHasher(neutral), createHasher(neutral)];
    let unsupported: string | null = memory.remembered() ?? focus.hiddenScroll();
    let places: Map<Node, number> | null = null;

    const readTree = (root: Node): object[] => {
      const more: object[] = [];
      const start = nodes.length;
      nodes.push(root);
      for (let index = start; index < nodes.length; index++) {
        const node = nodes[index] as Node;
        const record = recordOf(node);
        records.push(record);
        for (const child of record.children) nodes.push(child);
        if (record.shadow !== null) nodes.push(record.shadow);
        said.add(record.hash);
        said.number(record.children.length);
        if (node === document || node instanceof main.ShadowRoot) more.push(...readSheets(node as ShadowRoot, index));
        unsupported ??= record.unsupported;
        if (record.listeners.length > 0) {
          sealed.number(index);
          sealed.text(signatureOf(record.listeners));
          for (const { listener } of record.listeners) more.push(listener as object);
        }
        if (record.isCustom || Reflect.ownKeys(node).length > 0) more.push(node);
        const style = handedOut.styleWithMembers(node);
        if (style !== null) more.push(style);
        if (record.isTemplate) more.push((node as HTMLTemplateElement).content);
      }
      return more;
    };
    const readSheets = (root: Document | ShadowRoot, index: number): readonly CSSStyleSheet[] => {
      const sheets = shadows.sheetsOf(root);
      adopted.push([root, sheets]);
      if (sheets.length > 0) said.text(`sheets ${index} ${sheets.length}`);
      return sheets;
    };
    const place = (node: Node): number => {
      places ??= new Map(nodes.map((one, index) => [one, index]));
      return places.get(node) ?? -1;
    };

    const laden = readTree(document);
    const input = focus.capture();
    const { focus: at, isVisible, isByKey, around, target, selection, range } = input;
    const where = [at, isVisible, isByKey, around, target, selection, rangeWords(range)];
    sealed.text(JSON.stringify(where.map(part => wordsAt(part, place))));
    const distances = focus.scrollsNow();
    for (const word of scrollWords(distances, place)) sealed.text(word);
    sealed.text(signatureOf(listeners.of(main)));
    return {
      nodes,
      records,
      laden,
      focus: input,
      radioChanges: memory.radioChanges(),
      scrolls: distances,
      roots,
      adopted,
      place,
      /** Parts that scripts hold beside the document are read as they are met. */
      readStray(node) {
        const root = node.getRootNode({ composed: true });
        if (root === document || place(root) >= 0) return [];
        const start = nodes.length;
        forgetBelow(root);
        roots.push(root);
        const more = readTree(root);
        for (let index = start; index < nodes.length; index++) places?.set(nodes[index] as Node, index);
        return more;
      },
      hash: () => said.word(),
      sealed: () => sealed.word(),
      unsupported: () => unsupported,
    };
  }

  function wordsAt(value: unknown, place: (node: Node) => number): unknown {
    if (value instanceof Node) return place(value);
    return Array.isArray(value) ? value.map(one => wordsAt(one, place)) : value;
  }

  /** Says what would have to be fetched for it. */
  function restoreChildren(parent: Node, wanted: readonly Node[]): string | null {
    const now = childrenOf(parent);
    if (areSame(now, wanted)) return null;
    let problem: string | null = null;
    const staying = new Set(wanted);
    for (const child of now) if (!staying.has(child)) parent.removeChild(child);
    let at = parent.firstChild;
    for (const child of wanted) {
      if (child === at) {
        at = at.nextSibling;
        continue;
      }
      if (child instanceof Element && loadsAgain(child)) problem = loadedAgain;
      parent.insertBefore(child, at);
    }
    return problem ?? (imports(parent as Element) ? loadedAgain : null);
  }

  function write(node: Text, text: string): string | null {
    node.data = text;
    return node.parentElement !== null && imports(node.parentElement) ? loadedAgain : null;
  }

  function restoreNode(node: Node, record: NodeRecord): string | null {
    const { attributes, children } = record;
    let limit: string | null = null;
    if (typeof attributes === 'string') {
      if ((node as Text).data !== attributes) limit = write(node as Text, attributes);
    } else if (node.nodeType === 1) limit = attributesIn.restore(node as Element, attributes);
    const problem = restoreChildren(node, children);
    listeners.restore(node, record.listeners);
    return limit ?? problem;
  }

  function restore(record: DomRecord): DomRestored {
    const { nodes, records, roots, adopted, focus: input, scrolls: wanted } = record;
    forgetChanged(takeChanges());
    for (const root of roots) root.parentNode?.removeChild(root);
    let problem: string | null = null;
    // What is out of the document now may be anything, whatever was read of it.
    const astray = nodes
      .map((_, index) => index)
      .filter(index => !(nodes[index]?.isConnected === true && last.get(nodes[index]) === records[index]));
    for (const index of astray) problem = restoreNode(nodes[index] as Node, records[index] as NodeRecord) ?? problem;
    for (const [root, sheets] of adopted) if (!areSame(shadows.sheetsOf(root), sheets)) shadows.adopt(root, sheets);
    const layers: [Element, string][] = [];
    for (const [index, node] of nodes.entries()) {
      const one = records[index] as NodeRecord;
      if (listeners.of(node) !== one.listeners) listeners.restore(node, one.listeners);
      if (!one.isHolding) continue;
      if (fields.isLayer(node as Element)) layers.push([node as Element, one.held]);
      else if (fields.heldBy(node as Element) !== one.held) fields.hold(node as Element, one.held);
    }
    problem = fields.holdLayers(layers) ?? problem;
    focus.restoreScrolls(wanted);
    const left = shadows.activeElement();
    focus.restore(input);
    if (left !== null && left !== input.focus) holdLeft(record, left);
    const typing = input.focus === null ? null : fields.beginTyping(input.focus, heldAtFocus(record));
    forgetChanged(takeChanges());
    for (const index of astray) expected.set(nodes[index] as Node, records[index] as NodeRecord);
    return { problem, typing };
  }

  /** A field in which somebody typed counts as filled in from when it is left. */
  function holdLeft({ nodes, records }: DomRecord, left: Element): void {
    const { isHolding = false, held = '' } = records[nodes.indexOf(left)] ?? {};
    if (isHolding && !fields.isLayer(left) && fields.heldBy(left) !== held) fields.hold(left, held);
  }

  function heldAtFocus({ nodes, records, focus: { focus: element } }: DomRecord): string {
    return element === null ? '' : (records[nodes.indexOf(element)]?.held ?? '');
  }

  function difference(now: DomRecord, kept: DomRecord): string {
    const index = kept.records.findIndex((record, at) => {
      const other = now.records[at];
      return (
        other === undefined ||
        other.hash.some((lane, part) => lane !== record.hash[part]) ||
        other.children.length !== record.children.length
      );
    });
    const [node, record, other] = [kept.nodes[index], kept.records[index], now.records[index]];
    if (node === undefined || record === undefined) return 'a part beside it';
    const name = node.nodeName.toLowerCase();
    if (record.held !== other?.held) return `${name} holds ${other?.held ?? 'nothing'}, not ${record.held}`;
    return `${name} number ${index}`;
  }

  return {
    endTyping(record) {
      if (record.focus.focus !== null) fields.endTyping(record.focus.focus, heldAtFocus(record));
    },
    capture,
    restore,
    difference,
    scripts: () => scripts,
    restoreFocus: record => focus.restore(record.focus),
    handFor: record => focus.handFor(record.focus),
  };
}

const rangeWords = (range: FocusRecord['range']): readonly unknown[] | null =>
  range && [range.places, range.seen, range.field, range.words];

const noText: readonly string[] = Object.freeze([]);

/** Of a text, a comment and the like. */
const textOf = (node: Node): readonly string[] | string =>
  node.nodeType === 9 || node.nodeType === 11 ? noText : ((node as Text).data ?? noText);

const wordOfRoot = ({ mode, delegatesFocus, slotAssignment, clonable, serializable }: ShadowRoot): string =>
  ['shadow', mode, delegatesFocus, slotAssignment, clonable, serializable].join();

/** Which of them was scrolled first says nothing. */
function scrollWords(scrolls: DomRecord['scrolls'], place: (node: Node) => number): readonly string[] {
  return scrolls.map(([element, left, top]) => `${place(element)} ${left} ${top}`).toSorted();
}
