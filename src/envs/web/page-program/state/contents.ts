import { createHasher } from './hash.ts';
import { createEntries } from './entries.ts';
import { createEventLimit } from './event-limit.ts';
import { createPristine } from './pristine.ts';
import { createSeenMembers, isIndex } from './seen-members.ts';
import type { Accessor, Content, ContentsOptions, Key, Kind, PageContents } from './records.ts';

type Members = Record<Key, unknown>;
const none: readonly never[] = Object.freeze([]);
/** What listeners may be at beside nodes. */
const hearing = new Set<Kind['form']>(['target', 'linked', 'request']);
const { propertyIsEnumerable } = Object.prototype;

function areSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  if (one === other) return true;
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index++) if (!Object.is(one[index], other[index])) return false;
  return true;
}

/** Arguments that follow the parameters of their function. A name that a script gave its objects could run a getter of its own. */
const isMappedArguments = (value: object): boolean =>
  !(Symbol.toStringTag in value) &&
  Object.prototype.toString.call(value) === '[object Arguments]' &&
  Object.getOwnPropertyDescriptor(value, 'callee')?.get === undefined;
const isLink = (value: unknown): value is object =>
  typeof value === 'function' || (typeof value === 'object' && value !== null);

/** Reads what is in an object, and writes it back. */
export function createContents(options: ContentsOptions): PageContents {
  const { main, kinds, natives, listeners, scopes, permanent } = options;
  const last = new WeakMap<object, Content>();
  const entries = createEntries(options);
  const [ownValues, pageValues] = [Array.prototype.values, main.Array.prototype.values];
  const getStack = Object.getOwnPropertyDescriptor(new main.Error(), 'stack')?.get;
  /** Then asking for a stack runs a script. */
  const writesStacks = (): boolean => Object.hasOwn(main.Error, 'prepareStackTrace');
  const limitOfEvent = createEventLimit(main, options.platform);
  const { memberOf, hasLostMembers, define, remove } = createSeenMembers(permanent);
  const { isPristine, makePristine } = createPristine(natives);
  const hasher = (): ReturnType<typeof createHasher> => createHasher(options.neutral);
  // Only these calls change more than values and the list of members: what they touch is read anew.
  options.onReshape(object => last.delete(object));

  /** Members that functions and events have from the browser, which no script can change or which are read elsewhere. */
  const isSilent = (key: Key, { form }: Kind): boolean => {
    if (form === 'function') return key === 'arguments' || key === 'caller';
    return form === 'event' ? key === 'isTrusted' : form === 'array' && (key === 'length' || isIndex(key));
  };

  function ownKeys(value: object, kind: Kind): readonly Key[] {
    if (kind.form === 'style') return options.membersOfStyle(value);
    const keys = Reflect.ownKeys(value);
    if (kind.form === 'array') {
      // The length comes right after the indices, whatever holes there are: members of its own would follow.
      return keys.at(-1) === 'length' ? none : keys.filter(key => !isSilent(key, kind));
    }
    if (kind.form === 'bytes' && ArrayBuffer.isView(value)) return keys.filter(key => !isIndex(key));
    return kind.form === 'function' || kind.form === 'event' ? keys.filter(key => !isSilent(key, kind)) : keys;
  }

  /** Most of what there is are functions. */
  function hasKeys(value: object, kind: Kind, wanted: readonly Key[]): boolean {
    if (kind.form !== 'function') return areSame(ownKeys(value, kind), wanted);
    const keys = Reflect.ownKeys(value);
    let place = 0;
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index] as Key;
      if (!isSilent(key, kind) && key !== wanted[place++]) return false;
    }
    return place === wanted.length;
  }

  /** Nothing is made as long as nothing changed. */
  function isUnchanged(value: object, kind: Kind, before: Content): boolean {
    if (kind.form === 'proxy') return true;
    if (kind.form !== before.form) return false;
    if (!hasKeys(value, kind, before.keys)) return false;
    for (let index = 0; index < before.keys.length; index++) if (!isMemberSame(value, before, index)) return false;
    if (before.stack !== null && (value as { stack?: unknown }).stack !== before.stack) return false;
    if (before.isPristine && !isPristine(value)) return false;
    if (!areSame(scopes.privatesOf(value), before.privates)) return false;
    if (kind.form === 'plain' || kind.form === 'node') return true;
    if (before.registrations !== undefined && listeners.of(value as EventTarget) !== before.registrations) return false;
    return entries.areSame(value, kind, before.entries);
  }

  /**
   * Scripts change attributes by calls that tell of it, or put a usual member in the place of another one without a word:
   * by removing and assigning it, by a field of a class, by methods of arrays that make something.
   */
  function isMemberSame(value: object, before: Content, index: number): boolean {
    const key = before.keys[index] as Key;
    const sign = before.attributes[index] as string;
    if (permanent.pendingIn(value)?.has(key) === true)
      return isAsWanted(memberOf(value, key), descriptorOf(before, index));
    // A stack that is captured takes the place of whatever has its name.
    if (sign === 'd' || sign === '6' || (sign === 'c' && key === 'stack'))
      return isAsWanted(Object.getOwnPropertyDescriptor(value, key), descriptorOf(before, index));
    // What is hidden and not permanent would have become visible.
    if ((sign === '4' || sign === '5' || sign === 'c') && isEnumerable(value, key)) return false;
    return isAccessor(sign) || Object.is((value as Members)[key], before.values[index]);
  }

  function isEnumerable(value: object, key: Key): boolean {
    try {
      return propertyIsEnumerable.call(value, key);
    } catch {
      // A window of another origin does not answer; this page cannot change it either.
      return false;
    }
  }

  /** One sign for each member: a digit for a value, a letter for an accessor, by what can be done with it. */
  function signOf(member: PropertyDescriptor): string {
    const rest = Number(member.enumerable) + 2 * Number(member.configurable);
    return 'value' in member ? String(2 * rest + Number(member.writable)) : 'abcd'.charAt(rest);
  }
  const isAccessor = (sign: string | undefined): boolean => sign !== undefined && sign >= 'a';

  const bare = {
    keys: none,
    values: none,
    attributes: '',
    prototype: null,
    stack: null,
    isPristine: false,
    privates: none,
    closed: null,
  };

  /** The stack of an error is behind an accessor of the browser, which hands out and takes a text. */
  function stackOf(value: object, member: PropertyDescriptor | undefined): string | null {
    if (member?.get === undefined || member.get !== getStack) return null;
    const { stack } = value as { stack?: unknown };
    return typeof stack === 'string' ? stack : null;
  }

  function read(value: object, kind: Kind): Content {
    const inside = entries.of(value, kind);
    if (kind.form === 'proxy') return made(kind, { ...bare, entries: inside });
    const keys = ownKeys(value, kind);
    const found = keys.map(key => memberOf(value, key));
    const missing = { value: undefined, writable: false, enumerable: false, configurable: false };
    const members = found.map(member => member ?? missing);
    const values = members.map(member =>
      'value' in member ? (member.value as unknown) : ({ get: member.get, set: member.set } satisfies Accessor),
    );
    const isHeard = hearing.has(kind.form) && value instanceof main.EventTarget;
    const heard = isHeard ? { registrations: listeners.of(value as EventTarget) } : {};
    return made(kind, {
      keys,
      values,
      attributes: members.map(signOf).join('') + (Object.isExtensible(value) ? '' : '!'),
      prototype: Object.getPrototypeOf(value) as object | null,
      entries: inside,
      stack: stackOf(value, found[keys.indexOf('stack')]),
      isPristine: kind.form === 'function' && isPristine(value),
      privates: scopes.privatesOf(value),
      closed: closedBy(value, kind, found),
      ...heard,
    });
  }

  /** Whether arguments are tied to the parameters of a function: those of strict functions are not, and have no callee. */

  /** What never changes has no members that scripts gave it; arguments are tied to the variables of a function. */
  function closedBy(
    value: object,
    { form }: Kind,
    members: readonly (PropertyDescriptor | undefined)[],
  ): string | null {
    if (members.includes(undefined)) return 'an object whose members cannot be read';
    if (hasLostMembers(value)) return 'a member that was defined for good, and was removed';
    if (writesStacks() && members.some(member => member?.get !== undefined && member.get === getStack))
      return 'an error with a stack that a script wrote';
    if (form === 'constant' || form === 'sheet' || form === 'trusted') {
      const isNative = (part: unknown): boolean =>
        part === undefined ||
        (isLink(part) && (natives.nameOf(part) !== null || (typeof part === 'function' && scopes.isNative(part))));
      const isGiven = (member: PropertyDescriptor): boolean =>
        'value' in member
          ? isLink(member.value) && isNative(member.value)
          : isNative(member.get) && isNative(member.set);
      if (!members.every(member => member !== undefined && isGiven(member)))
        return 'an object of the browser with members of its own';
    }
    if (form === 'range' && !options.linked.isOwnRange(value)) return 'a range of the selection';
    if (form === 'event') return limitOfEvent(value as Event);
    if (form === 'linked') return options.linked.refusalOf(value);
    if (form === 'request' && value instanceof main.XMLHttpRequest && options.platform.of(value, 'readyState') === 1)
      return 'a request that was opened and not sent';
    if (form === 'sheet' && !options.styleRules.isKept(value)) return 'a style sheet without an element';
    if (form === 'promise' && options.promises.stateOf(value)?.isOpaque === true)
      return 'an open promise of an async function or of the browser';
    if (form === 'plain' && isMappedArguments(value)) return 'an arguments object';
    return null;
  }

  type Parts = Omit<Content, 'form' | 'links' | 'hash'>;

  function made(kind: Kind, parts: Parts): Content {
    const { keys, values, entries: inside, attributes, prototype } = parts;
    const hash = hasher();
    hash.text(kind.form);
    hash.text(attributes);
    for (const key of keys) hash.text(String(key));
    const links: object[] = [];
    const note = (value: unknown): void => {
      hash.text(wordOf(value));
      if (isLink(value)) links.push(value);
    };
    note(prototype);
    for (const [index, value] of values.entries()) {
      if (!isAccessor(attributes[index])) {
        if (!(parts.isPristine && keys[index] === 'prototype')) note(value);
        continue;
      }
      note((value as Accessor).get);
      note((value as Accessor).set);
    }
    for (const value of inside) note(value);
    for (const value of parts.privates) note(value);
    return { ...parts, form: kind.form, links, hash: hash.value() };
  }

  /** A plain value as a word; what has contents of its own is told by its place instead. */
  function wordOf(value: unknown): string {
    if (typeof value === 'string') return `s${value}`;
    if (typeof value === 'function') return scopes.wordOf(value);
    if (typeof value === 'object' && value !== null) return natives.nameOf(value) ?? 'o';
    return Object.is(value, -0) ? '-0' : `${typeof value} ${String(value)}`;
  }

  function descriptorOf({ values, attributes }: Content, index: number): PropertyDescriptor {
    const sign = attributes[index] as string;
    if (isAccessor(sign)) {
      const { get, set } = values[index] as { get: () => unknown; set: (value: unknown) => void };
      const rest = 'abcd'.indexOf(sign);
      return { get, set, enumerable: (rest & 1) > 0, configurable: (rest & 2) > 0 };
    }
    const flags = Number(sign);
    return {
      // As arguments show it to us: it is not handed to the page.
      value: values[index] === ownValues ? pageValues : values[index],
      writable: (flags & 1) > 0,
      enumerable: (flags & 2) > 0,
      configurable: (flags & 4) > 0,
    };
  }

  function isAsWanted(now: PropertyDescriptor | undefined, wanted: PropertyDescriptor): boolean {
    if (now === undefined) return false;
    return (
      signOf(now) === signOf(wanted) &&
      Object.is(now.value, wanted.value) &&
      now.get === wanted.get &&
      now.set === wanted.set
    );
  }

  /** The order of members can be seen: from the first that is out of order on, all are put in anew. */
  function restoreOrder(target: object, kind: Kind, wanted: Content['keys']): void {
    const now = ownKeys(target, kind);
    if (areSame(now, wanted)) return;
    const names = new Set(wanted);
    const staying = now.filter(key => names.has(key));
    const first = staying.findIndex((key, index) => key !== wanted[index]);
    const late = new Set(first < 0 ? [] : staying.slice(first));
    for (const key of now) if (!names.has(key) || late.has(key)) remove(target, key);
  }

  /** Does what can be done; whoever restores compares afterwards. */
  function writeMembers(target: object, kind: Kind, content: Content): void {
    if (Object.getPrototypeOf(target) !== content.prototype) Reflect.setPrototypeOf(target, content.prototype);
    restoreOrder(target, kind, content.keys);
    for (const [index, key] of content.keys.entries()) {
      const wanted = descriptorOf(content, index);
      const there = memberOf(target, key);
      if (isAsWanted(there, wanted)) continue;
      if (
        there !== undefined &&
        'value' in there &&
        'value' in wanted &&
        signOf(there) === signOf(wanted) &&
        there.writable === true
      )
        Reflect.set(target, key, wanted.value);
      else define(target, key, wanted);
    }
  }

  return {
    of(value, kind) {
      const before = last.get(value);
      if (before !== undefined && isUnchanged(value, kind, before)) return before;
      const content = read(value, kind);
      last.set(value, content);
      return content;
    },
    restore(value, content) {
      const now = kinds.of(value);
      const before = last.get(value);
      if (before === content && isUnchanged(value, now, content)) return;
      const kind = { ...now, form: content.form };
      // An array whose indices have become unusual has to be made a usual one first.
      if (kind.form === 'array' && now.form === 'plain')
        for (const key of Reflect.ownKeys(value)) if (isIndex(key)) Reflect.deleteProperty(value, key);
      if (!entries.areSame(value, kind, content.entries)) entries.restore(value, kind, content.entries);
      if (content.registrations !== undefined) listeners.restore(value as EventTarget, content.registrations);
      if (kind.form !== 'proxy' && kind.form !== 'constant') writeMembers(value, kind, content);
      scopes.restorePrivates(value, content.privates);
      if (content.stack !== null) Reflect.set(value, 'stack', content.stack);
      if (content.isPristine && !isPristine(value)) makePristine(value);
      // Read anew when it is asked for next: nothing is taken for restored that was not seen.
      last.delete(value);
    },
    wordOf,
  };
}
