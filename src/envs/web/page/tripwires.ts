import type { PageTripwires } from './parts.ts';

export interface TripwireOptions {
  /** Members by interface, separated by spaces, that a snapshot covers; `*` for all of an interface. */
  readonly understood: Readonly<Record<string, string>>;
  /** Interfaces and members that are watched elsewhere. */
  readonly elsewhere: ReadonlySet<string>;
}

type Method = (this: unknown, ...values: unknown[]) => unknown;
type Holder = Record<string | symbol, unknown>;

/** Once such a member is used, no snapshot of the page is trusted. */
const always = Infinity;

/**
 * Notes what a page uses that a snapshot does not cover. It fails closed: every member of the platform that is not known to
 * be covered is wrapped, and so are the constructors of all interfaces that are not known.
 */
// oxlint-disable-next-line max-lines-per-function -- one closure over the state of the part
export function createTripwires({ understood, elsewhere }: TripwireOptions): PageTripwires {
  const used: { readonly what: string; readonly at: number }[] = [];
  let kept = 0;
  let isOurs = 0;

  const note = (what: string, at: number): void => {
    if (isOurs > 0 || used.some(other => other.what === what && other.at === at)) return;
    used.push({ what, at });
  };

  /** A function that looks and works as before, and is noted when it is called. */
  function watched<T extends object>(real: T, told: () => void): T {
    return new Proxy(real, {
      apply(target, self, values) {
        told();
        return Reflect.apply(target as unknown as Method, self, values) as unknown;
      },
      construct(target, values, as) {
        told();
        return Reflect.construct(target as unknown as new () => object, values, as) as object;
      },
    });
  }

  function wrap(holder: Holder, key: string | symbol, told: () => void): void {
    const member = Object.getOwnPropertyDescriptor(holder, key);
    if (member?.configurable !== true) return;
    const { value, get, set } = member as { value?: unknown; get?: object; set?: object };
    if (typeof value === 'function') Object.defineProperty(holder, key, { ...member, value: watched(value, told) });
    else if (get !== undefined || set !== undefined)
      Object.defineProperty(holder, key, {
        ...member,
        ...(get === undefined ? {} : { get: watched(get, told) as () => unknown }),
        ...(set === undefined ? {} : { set: watched(set, told) as (value: unknown) => void }),
      });
  }

  function wrapRest(holder: Holder, interfaceName: string, known: ReadonlySet<string>): void {
    for (const key of Reflect.ownKeys(holder)) {
      const name = String(key);
      const called = `${interfaceName}.${name}`;
      if (known.has(name) || elsewhere.has(called) || /^(constructor|prototype|name|length)$/.test(name)) continue;
      if (typeof key === 'symbol' || /^(on[a-z]|[A-Z][A-Z_\d]+$)/.test(name)) continue;
      wrap(holder, key, () => note(called, always));
    }
  }

  function wrapInterface(name: string, value: unknown): void {
    const list = understood[name];
    if (list === undefined) {
      if (!elsewhere.has(name)) wrap(globalThis as unknown as Holder, name, () => note(name, always));
      return;
    }
    if (list === '*' || (typeof value !== 'function' && typeof value !== 'object') || value === null) return;
    const known = new Set(list.split(/\s+/));
    const { prototype } = value as { prototype?: unknown };
    wrapRest(value as Holder, name, known);
    if (typeof prototype === 'object' && prototype !== null) wrapRest(prototype as Holder, name, known);
  }

  function wrapPlatform(): void {
    const ofWindow = new Set((understood['window'] ?? '').split(/\s+/));
    for (const name of Object.getOwnPropertyNames(globalThis)) {
      if (/^[A-Z]/.test(name)) {
        wrapInterface(name, (globalThis as unknown as Holder)[name]);
        continue;
      }
      if (ofWindow.has(name) || elsewhere.has(`window.${name}`) || /^on[a-z]/.test(name)) continue;
      wrap(globalThis as unknown as Holder, name, () => note(`window.${name}`, always));
    }
    const inherited = Object.getPrototypeOf(Window.prototype) as Holder;
    wrapRest(inherited, 'window', ofWindow);
  }

  if (Object.keys(understood).length > 0) wrapPlatform();
  // Style rules that were there at a snapshot are there still; only later ones are too many.
  for (const name of ['insertRule', 'deleteRule', 'replace', 'replaceSync'])
    wrap(CSSStyleSheet.prototype as unknown as Holder, name, () => note('style rules that a script wrote', kept));
  for (const name of ['open', 'write', 'writeln'])
    wrap(Document.prototype as unknown as Holder, name, () => {
      if (document.readyState === 'complete') note('document.write', always);
    });
  return {
    mark() {
      kept++;
      return kept;
    },
    passed: mark => used.find(({ at }) => at >= mark)?.what ?? null,
    beyond() {
      const found = used.find(({ at }) => at === always);
      return found === undefined ? null : `used ${found.what}`;
    },
    trip: what => note(what, always),
    quietly(work) {
      isOurs++;
      try {
        return work();
      } finally {
        isOurs--;
      }
    },
  };
}
