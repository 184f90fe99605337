import type { PageTripwires } from '../page/parts.ts';
import { isKeptCookie } from '../page-memory/cookies.ts';
import { closedTraps } from '../page/traps.ts';
import { specialCased, understoodUnlessHeld, understoodWhenRead } from '../page-members/conditions.ts';
import { languageMembers } from '../page-members/language.ts';
import { understoodMembers, type MemberTable } from '../page-members/members.ts';

type Method = (this: unknown, ...values: unknown[]) => unknown;
type Holder = Record<string | symbol, unknown>;

interface Wire {
  /** What is noted when a script uses it. */
  readonly what: string;
  /** Whether reading it is fine. */
  readonly isRead?: boolean;
}

/** What stands behind a wire, beside the traps that all wires share. */
interface WireHandler extends ProxyHandler<object> {
  readonly what: string;
}

const tables: readonly MemberTable[] = [understoodMembers, languageMembers, understoodUnlessHeld];
const ownersOfSpecial: ReadonlySet<string> = new Set(Object.keys(specialCased).map(name => name.replace(/\..*/, '')));
const neverWrapped: ReadonlySet<string> = new Set(['constructor', 'prototype', 'name', 'length']);

function membersOf(owner: string, from: readonly MemberTable[]): ReadonlySet<string> {
  const listed = from.flatMap(table => (Object.hasOwn(table, owner) ? [table[owner] as string] : []));
  // Most interfaces stand in no table.
  return new Set(listed.length === 0 ? [] : listed.join(' ').trim().split(/\s+/));
}

/** Whether a member is an event handler such as `onclick`. */
const isHandlerName = (name: string): boolean => name.startsWith('on') && /^on[a-z]/.test(name);

/** Once such a member is used, no snapshot of the page is trusted. */
const forEver = Infinity;

/**
 * Notes what a page uses that a snapshot does not cover. It fails closed: every member of the platform that is not known to
 * be covered is wrapped, and so are the constructors of all interfaces that are not known.
 */
// oxlint-disable-next-line max-lines-per-function -- one closure over the state of the part
export function createTripwires(): PageTripwires {
  const used: { readonly what: string; readonly at: number }[] = [];
  let kept = 0;
  let isOurs = 0;
  const wrapped = new Set<object>();
  // Taken before it is watched.
  const { apply, construct, defineProperty, deleteProperty, setPrototypeOf } = Reflect;
  const wires = new WeakSet<object>();
  const [addWire, hasWire] = [wires.add.bind(wires), wires.has.bind(wires)];

  const note = (what: string, at: number): void => {
    if (isOurs > 0 || used.some(other => other.what === what && other.at === at)) return;
    used.push({ what, at });
  };

  /** The traps of all wires: a page has thousands, so each wire only holds what to note. */
  const traps = closedTraps<object>({
    apply(target, self, values) {
      note(this.what, forEver);
      return apply(target as unknown as Method, self, values) as unknown;
    },
    construct(target, values, as) {
      note(this.what, forEver);
      return construct(target as unknown as new () => object, values, as) as object;
    },
    // Scripts that write here keep something where no snapshot looks.
    defineProperty(target, key, member) {
      note(this.what, forEver);
      return defineProperty(target, key, member);
    },
    deleteProperty(target, key) {
      note(this.what, forEver);
      return deleteProperty(target, key);
    },
    setPrototypeOf(target, prototype) {
      note(this.what, forEver);
      return setPrototypeOf(target, prototype);
    },
  } as ProxyHandler<object> & ThisType<WireHandler>);

  /** A function that looks and works as before, and is noted when it is called. */
  function watched(real: object, handler: WireHandler): object {
    const wire = new Proxy(real, handler);
    addWire(wire);
    return wire;
  }

  function wrap(holder: Holder, key: string, { what, isRead = false }: Wire): void {
    const member = Object.getOwnPropertyDescriptor(holder, key);
    if (member?.configurable !== true) return;
    const { value, get, set } = member as { value?: unknown; get?: object; set?: object };
    const isMethod = typeof value === 'function';
    if (!isMethod && get === undefined && set === undefined) return;
    const handler = { __proto__: traps, what } as WireHandler;
    if (isMethod) member.value = watched(value, handler);
    if (get !== undefined && !isRead) member.get = watched(get, handler) as () => unknown;
    if (set !== undefined) member.set = watched(set, handler) as (value: unknown) => void;
    Object.defineProperty(holder, key, member);
  }

  /** Members of an interface that are not known to be covered. */
  function wrapRest(holder: Holder, owner: string): void {
    const known = membersOf(owner, tables);
    if (known.has('*')) return;
    const isRead = membersOf(owner, [understoodWhenRead]);
    const hasSpecial = ownersOfSpecial.has(owner);
    for (const name of Object.getOwnPropertyNames(holder)) {
      const isKnown = known.has(name) && !isRead.has(name);
      if (isKnown || neverWrapped.has(name) || isHandlerName(name)) continue;
      const what = `${owner}.${name}`;
      if (hasSpecial && what in specialCased) continue;
      wrap(holder, name, { what, isRead: isRead.has(name) });
    }
  }

  /** Some interfaces have a second name, such as `Option`. */
  const ownerOf = (prototype: object, name: string): string => {
    const tag = Object.getOwnPropertyDescriptor(prototype, Symbol.toStringTag)?.value as unknown;
    return typeof tag === 'string' ? tag : name;
  };

  function wrapInterface(name: string): void {
    const holder = globalThis as unknown as Holder;
    const known = membersOf(name, tables);
    const value = holder[name];
    if (known.has('*')) return;
    if (typeof value === 'function') {
      const { prototype } = value as { prototype?: unknown };
      if (known.size > 0) wrapRest(value as unknown as Holder, name);
      if (typeof prototype === 'object' && prototype !== null && !wrapped.has(prototype)) {
        wrapped.add(prototype);
        wrapRest(prototype as Holder, ownerOf(prototype, name));
      }
    } else if (typeof value === 'object' && value !== null) wrapRest(value as Holder, name);
    if (!known.has('constructor') && !(`${name}.constructor` in specialCased)) wrap(holder, name, { what: name });
  }

  function wrapPlatform(): void {
    const ofWindow = membersOf('window', tables);
    for (const name of Object.getOwnPropertyNames(globalThis)) {
      if (/^[A-Z]/.test(name)) wrapInterface(name);
      else if (
        !ofWindow.has(name) &&
        !(`window.${name}` in specialCased) &&
        !isHandlerName(name) &&
        !(name in languageMembers)
      )
        wrap(globalThis as unknown as Holder, name, { what: `window.${name}` });
    }
  }

  /** What a table cannot say. */
  function wrapSpecial(): void {
    const when = (
      owner: { prototype: object } | object | undefined,
      name: string,
      told: (values: readonly unknown[]) => void,
    ): void => {
      const holder = (owner !== undefined && 'prototype' in owner ? owner.prototype : owner) as Holder | undefined;
      const real = holder?.[name] as Method | undefined;
      if (holder === undefined || typeof real !== 'function') return;
      Object.defineProperty(holder, name, {
        value: new Proxy(
          real,
          closedTraps({
            apply(target, self, values: unknown[]) {
              told(values);
              return Reflect.apply(target, self, values) as unknown;
            },
          }),
        ),
        writable: true,
        enumerable: true,
        configurable: true,
      });
    };
    // Style rules that were there at a snapshot are there still; only later ones are too many.
    for (const name of ['insertRule', 'deleteRule', 'replace', 'replaceSync'])
      when(CSSStyleSheet, name, () => note('style rules that a script wrote', kept));
    for (const name of ['open', 'write', 'writeln', 'close'])
      when(Document, name, () => {
        if (document.readyState === 'complete') note(`Document.${name}`, forEver);
      });
    when(Document, 'adoptNode', ([node]) => {
      if ((node as Node | undefined)?.ownerDocument !== document) note('Document.adoptNode', forEver);
    });
    when(globalThis, 'structuredClone', values => {
      if (values.length > 1) note('structuredClone with a transfer', forEver);
    });
    // Whether a script said so, or the browser worked it out, decides what the next key does; no script can read it.
    for (const owner of [HTMLElement, SVGElement, MathMLElement])
      when(owner, 'focus', ([options]) => {
        if (typeof options === 'object' && options !== null && 'focusVisible' in options)
          note('focus with focusVisible', forEver);
      });
    when(globalThis, 'postMessage', () => note('window.postMessage', forEver));
    // Interfaces that a page has only under conditions.
    const named = globalThis as unknown as Record<string, { prototype: object } | undefined>;
    const always = [
      ['EventSource', 'close'],
      ['SubtleCrypto', 'digest'],
      ['MediaQueryList', 'addListener'],
      ['MediaQueryList', 'removeListener'],
    ] as const;
    for (const [owner, name] of always) when(named[owner], name, () => note(`${owner}.${name}`, forEver));
    const fonts = named['FontFaceSet']?.prototype as Holder | undefined;
    if (fonts !== undefined) wrap(fonts, 'ready', { what: 'FontFaceSet.ready' });
  }

  /** What scripts write that moves something hidden: a mode, a caret, the anchor of a list. */
  function wrapHiddenWrites(): void {
    const write = (
      holder: object,
      name: string,
      whatOf: (element: never, values: readonly unknown[]) => string | null,
    ): void => {
      const member = Object.getOwnPropertyDescriptor(holder, name);
      const real = (member?.set ?? member?.value) as Method | undefined;
      if (member === undefined || typeof real !== 'function') return;
      const wire = new Proxy(
        real,
        closedTraps({
          apply(target, self, values: unknown[]) {
            const what = holder.isPrototypeOf(self as object) ? whatOf(self as never, values) : null;
            if (what !== null) note(what, kept);
            return apply(target, self, values) as unknown;
          },
        }),
      );
      addWire(wire);
      Object.defineProperty(
        holder,
        name,
        member.set === undefined ? { ...member, value: wire } : { ...member, set: wire },
      );
    };
    write(Document.prototype, 'cookie', (_, [text]) => {
      if (!isKeptCookie(text, location.pathname))
        note('a cookie with a path, an expiry or a flag, which no script can read', forEver);
      return null;
    });
    const inCaretless = ({ type }: HTMLInputElement): string | null =>
      type === 'number' || type === 'email'
        ? 'a field with a caret that no script can read, and a script wrote it'
        : null;
    const inList = (select: HTMLSelectElement | null): string | null =>
      select !== null && (select.multiple || select.size > 1) ? 'a list in which a script chose' : null;
    for (const name of ['value', 'valueAsNumber', 'type', 'stepUp', 'stepDown', 'select'])
      write(HTMLInputElement.prototype, name, inCaretless);
    for (const name of ['value', 'selectedIndex']) write(HTMLSelectElement.prototype, name, inList);
    write(HTMLOptionsCollection.prototype, 'selectedIndex', (options: HTMLOptionsCollection) =>
      inList(options[0]?.closest('select') ?? null),
    );
    write(HTMLOptionElement.prototype, 'selected', (option: HTMLOptionElement) => inList(option.closest('select')));
    write(HTMLOutputElement.prototype, 'value', () => 'the value of an <output>, and a script wrote it');
  }

  wrapPlatform();
  wrapSpecial();
  wrapHiddenWrites();
  return {
    mark() {
      kept++;
      return kept;
    },
    passed: mark => used.find(({ at }) => at >= mark)?.what ?? null,
    beyond() {
      const found = used.find(({ at }) => at === forEver);
      return found === undefined ? null : `used ${found.what}`;
    },
    trip: what => note(what, forEver),
    tripSince: what => note(what, kept),
    isQuiet: () => isOurs > 0,
    isWire: value => hasWire(value),
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
