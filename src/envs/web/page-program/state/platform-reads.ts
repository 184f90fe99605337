import type { MainWindow } from '../parts.ts';

type Get = (this: unknown) => unknown;
type Names = Readonly<Record<string, string>>;

/** What is read of objects of the browser, by their interfaces; a class of a script may have members of its own in the place of these. */
const read: Names = {
  Node: 'nodeType',
  Event: 'type target currentTarget eventPhase defaultPrevented cancelBubble bubbles cancelable',
  UIEvent: 'detail view',
  MouseEvent: 'screenX screenY clientX clientY button relatedTarget',
  FocusEvent: 'relatedTarget',
  ClipboardEvent: 'clipboardData',
  DragEvent: 'dataTransfer',
  XMLHttpRequest: 'readyState status responseURL responseType withCredentials response',
  FileReader: 'readyState result error',
  EventSource: 'readyState url withCredentials',
  AbortController: 'signal',
  AbortSignal: 'aborted reason',
  DOMRectReadOnly: 'x y width height',
  CSSStyleSheet: 'ownerNode',
  CSSStyleDeclaration: 'length cssText',
  NodeList: 'length',
  HTMLCollection: 'length',
  TreeWalker: 'root whatToShow filter currentNode',
  Range: 'startContainer startOffset endContainer endOffset',
};

const own = (holder: object, name: string | symbol): Get => Object.getOwnPropertyDescriptor(holder, name)?.get as Get;

/** Reads what the browser has, whatever members a script gave an object or its class. */
export interface PlatformReads {
  /** Undefined where the object has no such member. */
  of(value: object, name: string): unknown;
  all(value: object, names: readonly string[]): readonly unknown[];
  /** Throws where the object has no such member. */
  known(value: object, name: string): unknown;
}

/** Called before the first script of the page. */
export function createPlatformReads(main: MainWindow): PlatformReads {
  const getters = new Map<string, Get[]>();
  for (const [kind, names] of Object.entries(read)) {
    const holder = (main as unknown as Record<string, { prototype: object } | undefined>)[kind]?.prototype;
    for (let at: object | null = holder ?? null; at !== null; at = Object.getPrototypeOf(at) as object | null)
      for (const name of names.split(' ')) {
        const get = Object.hasOwn(at, name) ? own(at, name) : undefined;
        if (get !== undefined) getters.set(name, [...(getters.get(name) ?? []), get]);
      }
  }

  function of(value: object, name: string): unknown {
    for (const get of getters.get(name) ?? [])
      try {
        return Reflect.apply(get, value, []);
      } catch {
        // It is of another kind.
      }
    return undefined;
  }

  return {
    of,
    all: (value, names) => names.map(name => of(value, name)),
    known(value, name) {
      const found = of(value, name);
      if (found === undefined) throw new TypeError(`no ${name}`);
      return found;
    },
  };
}

const patternFlags = 'hasIndices global ignoreCase multiline dotAll unicode unicodeSets sticky'
  .split(' ')
  .map(name => [name, own(RegExp.prototype, name)] as const);
const patternSource = own(RegExp.prototype, 'source');

/** The text and the flags of a regular expression. Throws where it is none. */
export const patternOf = (value: object): readonly string[] => [
  Reflect.apply(patternSource, value, []) as string,
  ...patternFlags.map(([name, get]) => (Reflect.apply(get, value, []) === true ? name : '')),
];

const boxes = [Boolean, Number, String, Symbol, BigInt].map(({ prototype }) => prototype.valueOf as Get);

/** What is in an object around a plain value. Throws where there is none. */
export function unboxed(value: object): unknown {
  for (const valueOf of boxes)
    try {
      return Reflect.apply(valueOf, value, []);
    } catch {
      // It is of another kind.
    }
  throw new TypeError('no plain value in it');
}

const typed = Object.getPrototypeOf(Uint8Array.prototype) as object;
const kindOfTyped = own(typed, Symbol.toStringTag);
const [ofTyped, ofDataView] = [typed, DataView.prototype].map(holder =>
  ['buffer', 'byteOffset', 'byteLength'].map(name => own(holder, name)),
) as [Get[], Get[]];
const ofBuffer = ['byteLength', 'detached', 'resizable'].map(name => own(ArrayBuffer.prototype, name));
const ask = (gets: readonly Get[], value: unknown): readonly unknown[] =>
  gets.map(get => Reflect.apply(get, value, []));

export interface Bytes {
  /** Null once it was handed on. */
  readonly buffer: ArrayBuffer | null;
  readonly start: number;
  readonly length: number;
  readonly isResizable: boolean;
}

const detached: Bytes = { buffer: null, start: 0, length: 0, isResizable: false };

/** Throws where an object has no bytes. */
export function bytesIn(value: object): Bytes {
  if (!ArrayBuffer.isView(value)) {
    const [length, isGone, isResizable] = ask(ofBuffer, value) as [number, boolean, boolean];
    return isGone ? detached : { buffer: value as ArrayBuffer, start: 0, length, isResizable };
  }
  const gets = Reflect.apply(kindOfTyped, value, []) === undefined ? ofDataView : ofTyped;
  const buffer = Reflect.apply(gets[0] as Get, value, []) as ArrayBuffer;
  if (isDetached(buffer)) return detached;
  const [, start, length] = ask(gets, value) as [unknown, number, number];
  return { buffer, start, length, isResizable: false };
}

/** One that is shared never is. */
function isDetached(buffer: ArrayBuffer): boolean {
  try {
    return Reflect.apply(ofBuffer[1] as Get, buffer, []) as boolean;
  } catch {
    return false;
  }
}
