import { closedTraps } from '../traps.ts';
import type { MemberTable } from '../members/members.ts';

/** Objects that the browser gives scripts, the same ones each time, such as `element.style`. */
export interface PageHandedOut {
  /**
   * Finds out what scripts hung on those that they were given since the last time. What was ever found that no snapshot
   * covers, in words.
   */
  lookThrough(): string | null;
  /** The same for lists that the browser keeps by the names of elements: no script has to ask a member for them. */
  lookAround(): string | null;
  noteInline(handler: object): void;
  /** The element whose attributes an object shows; null for others. */
  entriesOf(value: object): readonly unknown[] | null;
  /** Whether a script was given this by a member that gives the same object each time. */
  isHandedOut(value: object): boolean;
  /** The style of an element, if a script hung something on it. */
  styleWithMembers(node: Node): object | null;
  /** Members of a style that are no properties of CSS. */
  membersOfStyle(style: object): readonly (string | symbol)[];
}

/**
 * Members that give the same object each time, by interface or `window`. Scripts can hang something on such an object
 * without holding it, so a snapshot does not meet it among their data. A test compares the list with the browser.
 */
export const handingMembers: MemberTable = {
  AbortController: 'signal',
  Animation: 'effect timeline',
  CSSStyleSheet: 'cssRules rules',
  Crypto: 'subtle',
  Document: `
    getAnimations adoptedStyleSheets children forms images links scripts anchors embeds plugins applets all styleSheets implementation fonts
    getElementsByClassName getElementsByName getElementsByTagName getElementsByTagNameNS getSelection`,
  DocumentFragment: 'children',
  Element:
    'attributes children classList getAnimations getAttributeNode getAttributeNodeNS part getElementsByClassName getElementsByTagName getElementsByTagNameNS',
  HTMLAnchorElement: 'relList',
  HTMLAreaElement: 'relList',
  HTMLButtonElement: 'labels validity',
  HTMLCanvasElement: 'getContext',
  HTMLDataListElement: 'options',
  HTMLElement: 'dataset style',
  HTMLFieldSetElement: 'elements validity',
  HTMLFormElement: 'elements relList',
  HTMLInputElement: 'files labels validity',
  HTMLLinkElement: 'blocking relList sheet sizes',
  HTMLMapElement: 'areas',
  HTMLMeterElement: 'labels',
  HTMLOutputElement: 'htmlFor labels validity',
  HTMLProgressElement: 'labels',
  HTMLScriptElement: 'blocking',
  HTMLSelectElement: 'labels options selectedOptions validity',
  HTMLStyleElement: 'blocking sheet',
  HTMLTableElement: 'rows tBodies',
  HTMLTableRowElement: 'cells',
  HTMLTableSectionElement: 'rows',
  HTMLTextAreaElement: 'labels validity',
  Navigation: 'activation currentEntry',
  NavigationActivation: 'entry',
  Navigator: 'clipboard locks mediaDevices mimeTypes plugins scheduling serviceWorker storage userAgentData',
  Node: 'childNodes',
  Request: 'headers signal',
  ReadableStreamDefaultReader: 'closed',
  Response: 'body headers',
  SVGElement: 'className dataset style',
  Screen: 'orientation',
  ShadowRoot: 'adoptedStyleSheets getAnimations styleSheets',
  Selection: 'getRangeAt',
  TrustedTypePolicyFactory: 'emptyHTML emptyScript',
  URL: 'searchParams',
  XMLHttpRequest: 'upload',
  XPathResult: 'singleNodeValue iterateNext snapshotItem',
  window: 'getSelection localStorage sessionStorage',
};

type Key = string | symbol;
type Named = (this: object, name: string) => unknown;

/** Watches the objects that the browser hands out, and finds out what scripts hung on them. Those that we ask for are none of theirs. */
export function createHandedOut(isOurs: () => boolean): PageHandedOut {
  // Taken before scripts of the page can replace them.
  const { ownKeys, apply, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;
  const { isArray } = Array;
  const isIndex = (key: Key): boolean => typeof key === 'string' && /^\d+$/.test(key);
  /** How objects give what they have under a name. Asked of the object itself, it may give what is called so. */
  const readers = [
    [Storage, Storage.prototype.getItem],
    [NamedNodeMap, NamedNodeMap.prototype.getNamedItem],
    [HTMLFormControlsCollection, HTMLFormControlsCollection.prototype.namedItem],
    [HTMLCollection, HTMLCollection.prototype.namedItem],
    [PluginArray, PluginArray.prototype.namedItem],
    [MimeTypeArray, MimeTypeArray.prototype.namedItem],
  ] as unknown as readonly (readonly [typeof Object, Named])[];
  /** Since they were last looked through, and the element that each was asked of. */
  const handed = new Map<object, unknown>();
  const owners = new WeakMap<object, unknown>();
  const [wasHanded, ownerOf, noteHanded] = [owners.has.bind(owners), owners.get.bind(owners), owners.set.bind(owners)];
  /** What shows attributes of an element, and has nothing of its own. */
  const views = [DOMTokenList, DOMStringMap, NamedNodeMap] as const;
  const styled = new WeakSet<object>();
  let hasStyled = false;
  let found: string | null = null;
  let properties: ReadonlySet<Key> | null = null;
  const [inline, bound] = [new Set<object>(), new Set<object>()];
  /** A function that an attribute says has a length, a name, two that are old, and a prototype with a constructor. */
  const ownOfFunctions = ownKeys(Function('')).length;
  const prototypeOf = (handler: object): object => (handler as { readonly prototype?: object }).prototype ?? {};

  const { querySelectorAll } = Document.prototype;
  const { getAttribute } = Element.prototype;
  const elementsOf = getOwnPropertyDescriptor(HTMLFormElement.prototype, 'elements')?.get as () => Iterable<Element>;
  const windowNames = getPrototypeOf(Window.prototype) as object;

  /** What the browser gives by a name that several elements have: of the window, the document or a form. */
  function listsByName(): readonly object[] {
    const lists: unknown[] = [];
    const named = (holders: readonly object[], elements: Iterable<Element>): void => {
      const counts = new Map<string, number>();
      for (const element of elements)
        for (const name of new Set(['id', 'name'].map(key => apply(getAttribute, element, [key]) as string | null)))
          if (name !== null) counts.set(name, (counts.get(name) ?? 0) + 1);
      for (const [name, count] of counts)
        if (count > 1) for (const holder of holders) lists.push(getOwnPropertyDescriptor(holder, name)?.value);
    };
    named([windowNames, document], apply(querySelectorAll, document, ['[id],[name]']) as NodeListOf<Element>);
    for (const form of apply(querySelectorAll, document, ['form']) as NodeListOf<HTMLFormElement>)
      named([form], apply(elementsOf, form, []));
    return lists.filter(list => list instanceof RadioNodeList || list instanceof HTMLCollection);
  }

  // Its member cannot be watched.
  const origins = location.ancestorOrigins;
  const isOfStyles = (value: unknown): value is Animation =>
    value instanceof CSSAnimation || value instanceof CSSTransition;

  /** Members of a style that are no properties of CSS. */
  function membersOfStyle(style: object): readonly Key[] {
    properties ??= new Set(ownKeys(document.createElement('i').style));
    return ownKeys(style).filter(key => !isIndex(key) && !(properties as ReadonlySet<Key>).has(key));
  }

  /** Members that scripts gave an object, beside those by which it gives what is in it. */
  function membersOf(object: object): readonly Key[] {
    if (object instanceof CSSStyleDeclaration) return membersOfStyle(object);
    const keys = ownKeys(object);
    if (isArray(object)) return keys.filter(key => !isIndex(key) && key !== 'length');
    if (object instanceof DOMStringMap) return keys.filter(key => typeof key === 'symbol');
    const named = readers.find(([kind]) => object instanceof kind)?.[1];
    const isIn = (key: Key): boolean =>
      typeof key === 'string' && (apply(named as Named, object, [key]) ?? null) !== null;
    return keys.filter(key => !isIndex(key) && (named === undefined || !isIn(key)));
  }

  function look(object: object, owner: unknown): void {
    if (object instanceof NamedNodeMap)
      for (const attribute of object)
        if (ownKeys(attribute).length > 0) found ??= 'an attribute with members of its own';
    if (object instanceof CSSRuleList)
      for (let index = 0; index < object.length; index++)
        if (ownKeys(object.item(index) as object).length > 0) found ??= 'a style rule with members of its own';
    if (object instanceof StyleSheetList)
      for (const sheet of object) if (ownKeys(sheet).length > 0) found ??= 'a style sheet with members of its own';
    if (membersOf(object).length === 0) return;
    if (object instanceof Attr) found ??= 'an attribute with members of its own';
    if (object instanceof CSSStyleDeclaration && owner instanceof Element) {
      styled.add(owner);
      hasStyled = true;
    } else found ??= `an object of the kind ${object.constructor.name} with members of its own`;
  }

  function note(given: object, owner: unknown): void {
    if (isArray(given) && given.some(isOfStyles)) {
      // The list is a new one each time; what is in it is not.
      for (const animation of given) if (isOfStyles(animation)) handed.set(animation, owner);
      return;
    }
    if (owner instanceof Animation && !isOfStyles(owner)) return;
    if (owner instanceof XPathResult && !(given instanceof Attr)) return;
    handed.set(given, owner);
    if (!(owner instanceof Animation)) noteHanded(given, owner);
  }

  /** A function that looks and works as before; what it gives is looked through later. */
  const noting = <T extends object>(real: T): T =>
    new Proxy(
      real,
      closedTraps({
        apply(target, self, values) {
          const given = apply(target as unknown as () => unknown, self, values);
          if (typeof given === 'object' && given !== null && !isOurs()) note(given, self);
          if (typeof given === 'function') bound.add(given);
          return given;
        },
      }),
    );

  for (const [owner, names] of Object.entries(handingMembers)) {
    const named = globalThis as unknown as Record<string, { readonly prototype: object } | undefined>;
    const holder = owner === 'window' ? globalThis : named[owner]?.prototype;
    for (const name of names.trim().split(/\s+/)) {
      const member = holder === undefined ? undefined : Object.getOwnPropertyDescriptor(holder, name);
      if (holder === undefined || member?.configurable !== true) continue;
      const { value, get } = member as { readonly value?: object; readonly get?: () => unknown };
      if (value !== undefined) Object.defineProperty(holder, name, { ...member, value: noting(value) });
      else if (get !== undefined) Object.defineProperty(holder, name, { ...member, get: noting(get) });
    }
  }

  // Each has a function that it gives anew, the same one each time.
  for (const [{ prototype }, name] of [
    [Intl.NumberFormat, 'format'],
    [Intl.DateTimeFormat, 'format'],
    [Intl.Collator, 'compare'],
  ] as const) {
    const member = getOwnPropertyDescriptor(prototype, name);
    if (member?.get !== undefined) Object.defineProperty(prototype, name, { ...member, get: noting(member.get) });
  }

  return {
    isHandedOut: value =>
      wasHanded(value) || (value instanceof Node && value.nodeType === 2) || value instanceof CSSRule,
    lookThrough() {
      for (const [object, owner] of handed) look(object, owner);
      look(origins, null);
      for (const run of bound)
        if (ownKeys(run).length > 2) found ??= 'a function of an object of Intl with members of its own';
      for (const handler of inline)
        if (ownKeys(handler).length > ownOfFunctions || ownKeys(prototypeOf(handler)).length > 1)
          found ??= 'an inline event handler with members of its own';
      inline.clear();
      bound.clear();
      // What is in a list of attributes can be asked for without asking for the list again.
      for (const object of handed.keys()) if (!(object instanceof NamedNodeMap)) handed.delete(object);
      return found;
    },
    styleWithMembers: node =>
      hasStyled && styled.has(node) && membersOfStyle((node as HTMLElement).style).length > 0
        ? (node as HTMLElement).style
        : null,
    lookAround() {
      if (listsByName().some(list => membersOf(list).length > 0))
        found ??= 'a list of elements of one name with members of its own';
      return found;
    },
    entriesOf: value => (wasHanded(value) && views.some(view => value instanceof view) ? [ownerOf(value)] : null),
    noteInline: handler => void inline.add(handler),
    membersOfStyle,
  };
}

/** Where no snapshots are taken. */
export const nothingHandedOut: PageHandedOut = {
  lookThrough: () => null,
  isHandedOut: () => false,
  styleWithMembers: () => null,
  lookAround: () => null,
  noteInline: () => undefined,
  entriesOf: () => null,
  membersOfStyle: () => [],
};
