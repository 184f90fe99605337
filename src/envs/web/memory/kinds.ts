import type { Kind } from './records.ts';

/** Tells what kind of thing an object is: what is in it, and whether that can be read. Runs in the page, before any script of it. */
// oxlint-disable-next-line max-lines-per-function -- sent to the page as one text
export function installKinds(): void {
  const keeper = globalThis.espalierKeeper;
  const { getPrototypeOf } = Object;
  const sourceOf = Function.prototype.toString;
  const known = new Map<object | null, Kind>();
  const native = new Map<object, Kind>();
  const proxies = new WeakMap<object, readonly [target: object, handler: object]>();
  const filled = new WeakSet<object>();
  let hasProxies = false;

  const simple = (form: Kind['form']): Kind => ({ form, made: [], closed: null });
  const closed = (what: string): Kind => ({ form: 'still', made: [], closed: what });
  const still = simple('still');
  const plain = simple('plain');
  const proxy = simple('proxy');
  const run = simple('function');

  const forms: Record<string, Kind['form']> = {
    Object: 'plain',
    Array: 'array',
    Map: 'map',
    Set: 'set',
    Date: 'date',
    RegExp: 'pattern',
    EventTarget: 'target',
    AbortController: 'signal',
    AbortSignal: 'signal',
    URL: 'text',
    URLSearchParams: 'text',
    WeakMap: 'weak',
    WeakSet: 'weak',
    ArrayBuffer: 'bytes',
    DataView: 'bytes',
  };
  /** Of the browser's own objects, those that have nothing to keep, or show what is kept elsewhere. */
  const harmless = new Set(
    `Promise Boolean Number String Symbol BigInt Window Location History Navigator Screen Storage Performance Crypto
    SubtleCrypto NodeList RadioNodeList HTMLCollection HTMLOptionsCollection HTMLFormControlsCollection HTMLAllCollection
    DOMTokenList NamedNodeMap DOMStringMap DOMStringList CSSStyleDeclaration StyleSheet CSSStyleSheet StyleSheetList
    CSSRuleList CSSRule MediaList MediaQueryList DOMRect DOMRectReadOnly DOMRectList DOMPoint DOMPointReadOnly DOMMatrix
    DOMMatrixReadOnly File Blob FileList FileReader TextEncoder TextDecoder EventSource XMLHttpRequest
    XMLHttpRequestUpload Response Request Headers ValidityState MutationObserver ResizeObserver IntersectionObserver
    MutationRecord ResizeObserverEntry IntersectionObserverEntry Selection Range Animation DOMParser XMLSerializer
    DOMImplementation CustomElementRegistry VisualViewport Navigation NavigationHistoryEntry Clipboard DataTransfer
    DOMException MessageChannel MessagePort WeakRef FinalizationRegistry NodeIterator TreeWalker FormData ScreenOrientation
    FontFaceSet FontFace UserActivation NavigatorUAData Permissions MediaDevices StorageManager Scheduler External`.split(
      /\s+/,
    ),
  );

  function nativeKind(name: string, prototype: object): Kind {
    const form = forms[name];
    if (form !== undefined) return simple(form);
    if (prototype instanceof Node || prototype === Node.prototype) return simple('node');
    if (prototype instanceof Event || prototype === Event.prototype || harmless.has(name)) return still;
    if (prototype instanceof Error || prototype === Error.prototype) return plain;
    if (ArrayBuffer.isView(prototype) || getPrototypeOf(prototype) === getPrototypeOf(Uint8Array.prototype))
      return simple('bytes');
    if (prototype instanceof CSSRule) return still;
    return closed(`an object of the kind ${name}`);
  }

  /** Members that only its own class can reach show in no list: the class is read for them. */
  function hasPrivate(prototype: object): boolean {
    const { constructor } = prototype;
    return typeof constructor === 'function' && /\.\s*#[\w$]/.test(sourceOf.call(constructor));
  }

  function kindBelow(prototype: object | null): Kind {
    const made: object[] = [];
    let secret: Function | null = null;
    for (let at = prototype; at !== null; at = getPrototypeOf(at) as object | null) {
      const kind = native.get(at);
      if (kind === undefined) {
        made.push(at);
        if (hasPrivate(at)) secret ??= at.constructor;
        continue;
      }
      if (secret !== null) return closed(`an object of the class ${secret.name} with private members`);
      return made.length === 0 ? kind : { ...kind, made };
    }
    return made.length === 0 ? plain : { ...plain, made };
  }

  function kindOf(value: object): Kind {
    if (hasProxies && proxies.has(value)) return proxy;
    if (typeof value === 'function') return run;
    const prototype = getPrototypeOf(value) as object | null;
    let kind = known.get(prototype);
    if (kind === undefined) {
      kind = kindBelow(prototype);
      known.set(prototype, kind);
    }
    return kind;
  }

  /** Reading through a proxy would run scripts of the page: what it stands for is read instead. */
  function watchProxies(): void {
    const Real = Proxy;
    const note = (made: object, target: object, handler: object): void => {
      hasProxies = true;
      proxies.set(made, [target, handler]);
    };
    const { revocable } = Real;
    globalThis.Proxy = new Real(Real, {
      construct(real, [target, handler]: [object, object]) {
        const made = new real(target, handler);
        note(made, target, handler);
        return made;
      },
    });
    Real.revocable = <T extends object>(target: T, handler: ProxyHandler<T>) => {
      const made = revocable(target, handler);
      note(made.proxy, target, handler);
      return made;
    };
  }

  /** What hangs on objects in a weak collection cannot be listed; an empty one has nothing. */
  function watchWeak(): void {
    class PageWeakMap extends WeakMap<object, unknown> {
      override set(key: object, value: unknown): this {
        filled.add(this);
        return super.set(key, value);
      }
    }
    class PageWeakSet extends WeakSet {
      override add(value: object): this {
        filled.add(this);
        return super.add(value);
      }
    }
    for (const [name, made] of Object.entries({ WeakMap: PageWeakMap, WeakSet: PageWeakSet })) {
      Object.defineProperty(made, 'name', { value: name });
      Object.defineProperty(globalThis, name, { value: made, writable: true, configurable: true });
      native.set(made.prototype, simple('weak'));
    }
  }

  for (const name of Object.getOwnPropertyNames(globalThis)) {
    const value = Object.getOwnPropertyDescriptor(globalThis, name)?.value as unknown;
    const prototype: unknown = typeof value === 'function' ? value.prototype : undefined;
    if (typeof prototype !== 'object' || prototype === null || native.has(prototype)) continue;
    native.set(prototype, nativeKind(prototype.constructor.name, prototype));
  }
  // oxlint-disable-next-line no-empty-function -- only its kind is asked for
  const generators = [function* () {}, async function* () {}].map(make => getPrototypeOf(make.prototype) as object);
  for (const prototype of generators) native.set(prototype, closed('a generator'));
  native.set(getPrototypeOf([][Symbol.iterator]()) as object, closed('an iterator'));
  watchProxies();
  watchWeak();
  keeper.kinds = {
    of: kindOf,
    behind: value => proxies.get(value) ?? null,
    isFilled: value => filled.has(value),
    isNative: prototype => native.has(prototype),
  };
}
