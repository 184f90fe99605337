import type { MainParts } from '../parts.ts';
import type { Natives } from './natives.ts';
import type { PlatformData } from './platform-data.ts';
import { bytesIn, patternOf, unboxed } from './platform-reads.ts';
import type { Kind, PageKinds } from './records.ts';

/** What can be in objects of the browser, by the name of their interface. Whatever is not here is refused. */
const forms: Readonly<Record<string, Kind['form']>> = {
  Object: 'plain',
  Array: 'array',
  Map: 'map',
  Set: 'set',
  Date: 'date',
  RegExp: 'pattern',
  Boolean: 'boxed',
  Number: 'boxed',
  String: 'boxed',
  Symbol: 'boxed',
  BigInt: 'boxed',
  DOMException: 'plain',
  EventTarget: 'target',
  AbortController: 'signal',
  AbortSignal: 'signal',
  URL: 'address',
  URLSearchParams: 'pairs',
  WeakMap: 'weak',
  WeakSet: 'weak',
  FinalizationRegistry: 'weak',
  Promise: 'promise',
  WeakRef: 'reference',
  MessageChannel: 'linked',
  MessagePort: 'linked',
  TrustedTypePolicy: 'linked',
  Animation: 'linked',
  IDBDatabase: 'linked',
  IDBTransaction: 'linked',
  IDBObjectStore: 'linked',
  IDBIndex: 'linked',
  IDBRequest: 'linked',
  IDBOpenDBRequest: 'linked',
  CanvasRenderingContext2D: 'linked',
  CanvasGradient: 'linked',
  Path2D: 'linked',
  ReadableStream: 'linked',
  ReadableStreamDefaultController: 'linked',
  ReadableStreamDefaultReader: 'linked',
  TextDecoder: 'linked',
  DOMTokenList: 'linked',
  DOMStringMap: 'linked',
  NamedNodeMap: 'linked',
  CSSStyleSheet: 'sheet',
  TreeWalker: 'walker',
  Range: 'range',
  TrustedHTML: 'trusted',
  TrustedScript: 'trusted',
  TrustedScriptURL: 'trusted',
  ArrayBuffer: 'bytes',
  DataView: 'bytes',
  DOMRect: 'rectangle',
  DOMRectReadOnly: 'rectangle',
  NodeList: 'list',
  RadioNodeList: 'list',
  HTMLCollection: 'list',
  HTMLOptionsCollection: 'list',
  HTMLFormControlsCollection: 'list',
  CSSStyleDeclaration: 'style',
  CSSStyleProperties: 'style',
  Headers: 'pairs',
  FormData: 'pairs',
  XMLHttpRequest: 'request',
  FileReader: 'request',
  EventSource: 'request',
};

/** Of the browser's own objects, those that never change, or show what a snapshot keeps elsewhere. */
const constant = new Set(
  `Window Location History Navigator Screen Storage Performance Crypto SubtleCrypto Blob File FileList TextEncoder
  MediaQueryList DOMImplementation Selection MutationObserver ResizeObserver IntersectionObserver
  DateTimeFormat NumberFormat Collator PluralRules RelativeTimeFormat ListFormat DisplayNames Locale Console Clipboard
  ValidityState StyleSheetList CSSRuleList Scheduling XPathEvaluator
  XPathExpression TextMetrics IDBFactory DOMParser XMLSerializer Segmenter`.split(/\s+/),
);

const simple = (form: Kind['form']): Kind => ({ form, made: [], closed: null });
const closed = (what: string): Kind => ({ form: 'constant', made: [], closed: what });

const sparse = closed('an array with very many holes');
const longArray = 10_000;

/** Reading it index by index would take for ever. */
function isSparse(array: readonly unknown[]): boolean {
  return array.length > longArray && Reflect.ownKeys(array).length < array.length / 2;
}

/** Whether an index is read-only, hidden, permanent or a getter, or the length is read-only. */
function hasOddMembers(array: readonly unknown[]): boolean {
  if (Object.getOwnPropertyDescriptor(array, 'length')?.writable !== true) return true;
  for (let index = 0; index < array.length; index++) {
    const member = Object.getOwnPropertyDescriptor(array, index);
    if (member === undefined) continue;
    if (!('value' in member && member.writable && member.enumerable && member.configurable)) return true;
  }
  return false;
}

type KindParts = MainParts & { readonly platform: PlatformData };

/** Tells what kind of thing an object is: what is in it, and whether that can be read. */
export function createKinds(main: Window & typeof globalThis, natives: Natives, parts: KindParts): PageKinds {
  const { getPrototypeOf } = Object;
  const { platform } = parts;
  const known = new Map<object | null, Kind>();
  const native = new Map<object, Kind>();
  const plain = simple('plain');
  const proxy = simple('proxy');
  const run = simple('function');
  const typed = getPrototypeOf(main.Uint8Array.prototype) as object;

  function nativeKind(name: string, prototype: object): Kind {
    const form = forms[name];
    if (form !== undefined) return simple(form);
    if (prototype instanceof main.Node || prototype === main.Node.prototype) return simple('node');
    if (prototype instanceof main.Event || prototype === main.Event.prototype) return simple('event');
    if (constant.has(name)) return simple('constant');
    if (prototype instanceof main.Error || prototype === main.Error.prototype) return plain;
    if (prototype === typed || getPrototypeOf(prototype) === typed) return simple('bytes');
    return closed(`an object of the kind ${name}`);
  }

  /** One that was revoked cannot be asked for anything. */
  function isRevoked(value: object): boolean {
    if (parts.behindProxy(value) === null) return false;
    try {
      getPrototypeOf(value);
      return false;
    } catch {
      return true;
    }
  }

  function kindBelow(prototype: object | null): Kind {
    const made: object[] = [];
    for (let at = prototype; at !== null; at = getPrototypeOf(at) as object | null) {
      if (isRevoked(at)) return closed('an object that inherits from a proxy that was revoked');
      const kind = native.get(at);
      if (kind !== undefined) return made.length === 0 ? kind : { ...kind, made };
      // As bundlers make of a CommonJS module that exports a function.
      if (at === main.Function.prototype) break;
      if (natives.nameOf(at) !== null) return closed(`an object under ${natives.nameOf(at) as string}`);
      made.push(at);
    }
    return made.length === 0 ? plain : { ...plain, made };
  }

  const kindBy = (prototype: object | null): Kind => {
    let kind = known.get(prototype);
    if (kind === undefined) {
      kind = kindBelow(prototype);
      known.set(prototype, kind);
    }
    return kind;
  };

  /** A prototype looks like what it makes, but has nothing of its kind in it. */
  function isGenuine(value: object, { form }: Kind): boolean {
    try {
      brands[form]?.(value);
      return true;
    } catch {
      return false;
    }
  }

  const sizeOf = (prototype: object): ((this: object) => unknown) =>
    Object.getOwnPropertyDescriptor(prototype, 'size')?.get as (this: object) => unknown;
  const [mapSize, setSize] = [sizeOf(Map.prototype), sizeOf(Set.prototype)];
  const brands: Partial<Record<Kind['form'], (value: object) => unknown>> = {
    map: value => mapSize.call(value),
    set: value => setSize.call(value),
    date: value => Date.prototype.getTime.call(value as Date),
    pattern: patternOf,
    bytes: bytesIn,
    boxed: unboxed,
    target: value =>
      main.EventTarget.prototype.dispatchEvent.length + Number(parts.listeners.of(value as EventTarget).length),
    signal: value => platform.of(value, 'signal') ?? platform.known(value, 'aborted'),
    address: value => platform.addressOf(value),
    rectangle: value => platform.known(value, 'x'),
    list: value => platform.known(value, 'length'),
    style: value => platform.known(value, 'cssText'),
    pairs: value => platform.pairsOf(value),
    request: value => platform.known(value, 'readyState'),
    node: value => platform.known(value, 'nodeType'),
    event: value => platform.known(value, 'type'),
    reference: value => WeakRef.prototype.deref.call(value as WeakRef<object>),
    trusted: value => main.String(value),
    sheet: value => platform.known(value, 'ownerNode'),
    walker: value => platform.known(value, 'root'),
    range: value => platform.known(value, 'startContainer'),
    promise(value) {
      if (parts.promises.stateOf(value) === null) throw new TypeError('no promise');
    },
  };

  natives.eachPrototype((prototype, name) => native.set(prototype, nativeKind(name, prototype)));
  return {
    of(value) {
      if (parts.behindProxy(value) !== null) return proxy;
      if (typeof value === 'function') return run;
      const kind = kindBy(getPrototypeOf(value) as object | null);
      if (kind.form === 'array' && Array.isArray(value)) {
        if (isSparse(value)) return sparse;
        // Its indices and its length are then read as members, with their attributes.
        return parts.isReshapedArray(value) && hasOddMembers(value) ? { ...plain, made: kind.made } : kind;
      }
      if (kind.form === 'plain' || kind.form === 'constant') return kind;
      if (kind.form !== 'array' && isGenuine(value, kind)) return kind;
      return { ...plain, made: kind.made };
    },
    byPrototype: kindBy,
  };
}
