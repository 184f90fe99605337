import { closedTraps } from '../traps.ts';

/**
 * Members that scripts define for good (`configurable: false`) in objects of theirs, as stores of Solid do. Such a member could
 * never be taken back. It stays removable until a script could find that out: each call that asks makes it permanent first.
 * What no call shows, such as `delete`, is found when the object is read next.
 */
export interface PermanentMembers {
  /** Permanent members of an object that can still be taken back, and what each was when it was defined. */
  pendingIn(object: object): ReadonlyMap<Key, string> | null;
  /** Says that a member is to count as permanent, or no longer. */
  mark(object: object, key: Key, sign: string): void;
  unmark(object: object, key: Key): void;
  /** Says which objects are of the browser: their members are permanent at once. */
  spare(isNative: (object: object) => boolean): void;
}

type Key = string | symbol;
type Call = (...values: unknown[]) => unknown;

/** Whether a member shows, can be written, and is an accessor. */
export const signOfPending = ({ enumerable, writable, ...rest }: PropertyDescriptor): string =>
  `${enumerable === true ? 'e' : ''}${writable === true ? 'w' : ''}${'value' in rest ? '' : 'a'}`;

// Taken before they are replaced.
const { apply, getOwnPropertyDescriptor, getPrototypeOf, isExtensible, defineProperty } = Reflect;
const { prototype: objects } = Object;
const { prototype: arrays } = Array;
const { prototype: functions } = Function;

const isObject = (value: unknown): value is object =>
  typeof value === 'function' || (typeof value === 'object' && value !== null);
const isIndex = (key: Key): boolean => typeof key === 'string' && /^(length|-?\d.*|Infinity|-Infinity|NaN)$/.test(key);

/** What is mixed up is an error that the language has words for. */
function isClear({ get, set, ...read }: PropertyDescriptor): boolean {
  if (![get, set].every(run => run === undefined || typeof run === 'function')) return false;
  return (get === undefined && set === undefined) || !('value' in read || 'writable' in read);
}

/** `isProxy` tells of proxies that scripts made: asking one of them anything would run a script. */
export function createPermanentMembers(isProxy: (object: object) => boolean): PermanentMembers {
  const pending = new WeakMap<object, Map<Key, string>>();
  const [pendingOf, setPending] = [pending.get.bind(pending), pending.set.bind(pending)];
  let isNative: (object: object) => boolean = () => true;

  /** Whether it is an ordinary object, array or function that a script made. */
  function isOrdinary(object: object): boolean {
    let at: object | null = object;
    while (at !== null) {
      if (isProxy(at)) return false;
      if (isNative(at)) return at !== object && (at === objects || at === arrays || at === functions);
      at = getPrototypeOf(at);
    }
    return true;
  }

  /** What a script says of a member, each part read once and in the order of the language. */
  function readDescriptor(given: object): PropertyDescriptor {
    const read: Record<string, unknown> = {};
    for (const part of ['enumerable', 'configurable', 'value', 'writable', 'get', 'set']) {
      if (!(part in given)) continue;
      const value = (given as Record<string, unknown>)[part];
      read[part] = part === 'value' || part === 'get' || part === 'set' ? value : Boolean(value);
    }
    return read;
  }

  function mark(object: object, key: Key, sign: string): void {
    let known = pendingOf(object);
    if (known === undefined) setPending(object, (known = new Map()));
    known.set(key, sign);
  }

  /** Makes a member what scripts take it for. */
  function commit(object: unknown, key: unknown): void {
    if (!isObject(object)) return;
    const known = pendingOf(object);
    if (known === undefined || !known.has(key as Key)) return;
    const there = getOwnPropertyDescriptor(object, key as Key);
    // One that is gone stays marked: whoever reads the object finds it.
    if (there !== undefined && defineProperty(object, key as Key, { configurable: false })) known.delete(key as Key);
  }

  function commitAll(object: unknown): void {
    if (!isObject(object)) return;
    for (const key of pendingOf(object)?.keys() ?? []) commit(object, key);
  }

  /** Defines a member that can be taken back in the place of a permanent one; false where that makes a difference. */
  function isHeldBack(object: unknown, key: unknown, given: PropertyDescriptor): boolean {
    if (!isObject(object) || (typeof key !== 'string' && typeof key !== 'symbol') || isIndex(key)) return false;
    if (given.configurable === true || !isOrdinary(object)) return false;
    const there = getOwnPropertyDescriptor(object, key);
    if (there === undefined ? !isExtensible(object) : there.configurable !== true || given.configurable === undefined)
      return false;
    if (!defineProperty(object, key, { ...given, configurable: true })) return false;
    mark(object, key, signOfPending(getOwnPropertyDescriptor(object, key) as PropertyDescriptor));
    return true;
  }

  function replace(holder: object, name: string, run: (real: Call, self: unknown, values: unknown[]) => unknown): void {
    const real = (holder as Record<string, Call>)[name] as Call;
    const traps = closedTraps<Call>({ apply: (target, self, values: unknown[]) => run(target, self, values) });
    Object.defineProperty(holder, name, {
      value: new Proxy(real, traps),
      writable: true,
      enumerable: false,
      configurable: true,
    });
  }

  for (const holder of [Object, Reflect]) {
    replace(holder, 'defineProperty', (real, self, values) => {
      const [object, key, given] = values;
      commit(object, key);
      if (!isObject(object) || !isObject(given) || (typeof key === 'object' && key !== null))
        return apply(real, self, values);
      const read = readDescriptor(given);
      if (isClear(read) && isHeldBack(object, key, read)) return holder === Object ? object : true;
      return apply(real, self, [object, key, read]);
    });
    replace(holder, 'getOwnPropertyDescriptor', (real, self, values) => {
      commit(values[0], values[1]);
      return apply(real, self, values);
    });
  }
  replace(Reflect, 'deleteProperty', (real, self, values) => {
    commit(values[0], values[1]);
    return apply(real, self, values);
  });
  // A trap of a proxy that gave such a description back would be wrong of its target: they give single ones.
  replace(Object, 'getOwnPropertyDescriptors', (real, self, values) => {
    const given = apply(real, self, values) as Record<Key, PropertyDescriptor>;
    for (const key of pendingOf(values[0] as object)?.keys() ?? [])
      if (getOwnPropertyDescriptor(given, key) !== undefined)
        defineProperty(given[key] as object, 'configurable', { value: false });
    return given;
  });
  for (const name of ['defineProperties', 'isFrozen', 'isSealed'])
    replace(Object, name, (real, self, values) => {
      commitAll(values[0]);
      return apply(real, self, values);
    });
  return {
    pendingIn: object => pendingOf(object) ?? null,
    mark,
    unmark: (object, key) => void pendingOf(object)?.delete(key),
    spare(told) {
      isNative = told;
    },
  };
}
