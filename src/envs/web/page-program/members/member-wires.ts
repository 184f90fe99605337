import { closedTraps } from '../traps.ts';
import { specialCased, understoodWhenRead } from './conditions.ts';
import { languageMembers } from './language.ts';
import type { MemberTable } from './members.ts';

type Method = (this: unknown, ...values: unknown[]) => unknown;
type Holder = Record<string | symbol, unknown>;

export interface MemberWiresOptions {
  /** Members that are left alone. */
  readonly known: readonly MemberTable[];
  /** Called whenever a script uses any other member, with its name. */
  used(what: string): void;
}

interface Wire {
  /** The name of the member. */
  readonly what: string;
  /** Whether reading it is fine. */
  readonly isRead?: boolean;
}

/** What stands behind a wire, beside the traps that all wires share. */
interface WireHandler extends ProxyHandler<object> {
  readonly what: string;
}

const ownersOfSpecial: ReadonlySet<string> = new Set(Object.keys(specialCased).map(name => name.replace(/\..*/, '')));
const neverWrapped: ReadonlySet<string> = new Set(['constructor', 'prototype', 'name', 'length']);

/** Whether a member is an event handler such as `onclick`. */
const isHandlerName = (name: string): boolean => name.startsWith('on') && /^on[a-z]/.test(name);

function membersOf(owner: string, from: readonly MemberTable[]): ReadonlySet<string> {
  const listed = from.flatMap(table => (Object.hasOwn(table, owner) ? [table[owner] as string] : []));
  // Most interfaces stand in no table.
  return new Set(listed.length === 0 ? [] : listed.join(' ').trim().split(/\s+/));
}

/**
 * Wraps every member of the platform that no table lists, and the constructors of all interfaces that are not listed. So it
 * fails closed. Gives back whether a function is wrapped.
 */
export function wrapUnlistedMembers({ known: tables, used }: MemberWiresOptions): (value: object) => boolean {
  const wrapped = new Set<object>();
  // Taken before it is watched.
  const { apply, construct, defineProperty, deleteProperty, setPrototypeOf } = Reflect;
  const wires = new WeakSet<object>();
  const [addWire, hasWire] = [wires.add.bind(wires), wires.has.bind(wires)];

  /** The traps of all wires: a page has thousands, so each wire only holds what it is called. */
  const traps = closedTraps<object>({
    apply(target, self, values) {
      used(this.what);
      return apply(target as unknown as Method, self, values) as unknown;
    },
    construct(target, values, as) {
      used(this.what);
      return construct(target as unknown as new () => object, values, as) as object;
    },
    // Scripts that write here keep something where no snapshot looks.
    defineProperty(target, key, member) {
      used(this.what);
      return defineProperty(target, key, member);
    },
    deleteProperty(target, key) {
      used(this.what);
      return deleteProperty(target, key);
    },
    setPrototypeOf(target, prototype) {
      used(this.what);
      return setPrototypeOf(target, prototype);
    },
  } as ProxyHandler<object> & ThisType<WireHandler>);

  /** A function that looks and works as before, and is told of when it is called. */
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

  /** Members of an interface that are not listed. */
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
  return value => hasWire(value);
}
