import { createHasher } from './hash.ts';
import { createEntries } from './entries.ts';
import type { Accessor, Content, ContentsOptions, Key, Kind, PageContents } from './records.ts';

type Members = Record<Key, unknown>;
const none: readonly never[] = Object.freeze([]);

export function areSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  if (one === other) return true;
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index++) if (!Object.is(one[index], other[index])) return false;
  return true;
}

const isLink = (value: unknown): value is object =>
  typeof value === 'function' || (typeof value === 'object' && value !== null);

/** Reads what is in an object, and writes it back. */
// oxlint-disable-next-line max-lines-per-function -- one closure over the state of the part
export function createContents(options: ContentsOptions): PageContents {
  const { kinds, natives, listeners, scopes } = options;
  const last = new WeakMap<object, Content>();
  const entries = createEntries(options);
  const hasher = (): ReturnType<typeof createHasher> => createHasher(options.neutral);
  // Only these calls change more than values and the list of members: what they touch is read anew.
  options.onReshape(object => last.delete(object));

  const isIndex = (key: Key): boolean =>
    typeof key === 'string' && /^(0|[1-9]\d{0,9})$/.test(key) && Number(key) < 2 ** 32 - 1;
  /** Members that functions have from the browser and that say nothing. */
  const isSilent = (key: Key, { form }: Kind): boolean =>
    form === 'function'
      ? key === 'arguments' || key === 'caller'
      : form === 'array' && (key === 'length' || isIndex(key));

  function ownKeys(value: object, kind: Kind): readonly Key[] {
    if (kind.form === 'style') return options.membersOfStyle(value);
    const keys = Reflect.ownKeys(value);
    if (kind.form === 'array') {
      // The length comes right after the indices, whatever holes there are: members of its own would follow.
      return keys.at(-1) === 'length' ? none : keys.filter(key => !isSilent(key, kind));
    }
    if (kind.form === 'bytes' && ArrayBuffer.isView(value)) return keys.filter(key => !isIndex(key));
    return kind.form === 'function' ? keys.filter(key => !isSilent(key, kind)) : keys;
  }

  /** Nothing is made as long as nothing changed. */
  function isUnchanged(value: object, kind: Kind, before: Content): boolean {
    if (kind.form === 'proxy') return true;
    if (!areSame(ownKeys(value, kind), before.keys)) return false;
    const { keys, values, attributes } = before;
    for (let index = 0; index < keys.length; index++)
      if (!isAccessor(attributes[index]) && !Object.is((value as Members)[keys[index] as Key], values[index]))
        return false;
    if (kind.form === 'plain' || kind.form === 'node') return true;
    if (kind.form === 'target' && listeners.of(value as EventTarget) !== before.registrations) return false;
    return entries.areSame(value, kind, before.entries);
  }

  /** One sign for each member: a digit for a value, a letter for an accessor, by what can be done with it. */
  function signOf(member: PropertyDescriptor): string {
    const rest = Number(member.enumerable) + 2 * Number(member.configurable);
    return 'value' in member ? String(2 * rest + Number(member.writable)) : 'abcd'.charAt(rest);
  }
  const isAccessor = (sign: string | undefined): boolean => sign !== undefined && sign >= 'a';

  function read(value: object, kind: Kind): Content {
    const inside = entries.of(value, kind);
    if (kind.form === 'proxy')
      return made(kind, { keys: none, values: none, attributes: '', prototype: null, entries: inside, closed: null });
    const keys = ownKeys(value, kind);
    const found = keys.map(key => Object.getOwnPropertyDescriptor(value, key));
    const missing = { value: undefined, writable: false, enumerable: false, configurable: false };
    const members = found.map(member => member ?? missing);
    const values = members.map(member =>
      'value' in member ? (member.value as unknown) : ({ get: member.get, set: member.set } satisfies Accessor),
    );
    const heard = kind.form === 'target' ? { registrations: listeners.of(value as EventTarget) } : {};
    return made(kind, {
      keys,
      values,
      attributes: members.map(signOf).join('') + (Object.isExtensible(value) ? '' : '!'),
      prototype: Object.getPrototypeOf(value) as object | null,
      entries: inside,
      closed: closedBy(value, kind, found),
      ...heard,
    });
  }

  /** What never changes has no members that scripts gave it; arguments are tied to the variables of a function. */
  function closedBy(
    value: object,
    { form }: Kind,
    members: readonly (PropertyDescriptor | undefined)[],
  ): string | null {
    if (members.includes(undefined)) return 'an object whose members cannot be read';
    if (form === 'constant' || form === 'event') {
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
    if (form === 'event' && !(value as Event).isTrusted) return 'an event that a script made';
    if (form === 'plain' && Object.prototype.toString.call(value) === '[object Arguments]')
      return 'an arguments object';
    return null;
  }

  type Parts = Omit<Content, 'links' | 'hash'>;

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
        if (!(kind.form === 'function' && keys[index] === 'prototype' && isPristine(value))) note(value);
        continue;
      }
      note((value as Accessor).get);
      note((value as Accessor).set);
    }
    for (const value of inside) note(value);
    return { ...parts, links, hash: hash.value() };
  }

  /** The object that every function has for what it makes, as long as nothing was put there. */
  function isPristine(prototype: unknown): boolean {
    if (!isLink(prototype)) return false;
    const keys = Reflect.ownKeys(prototype);
    const above = natives.nameOf(Object.getPrototypeOf(prototype) as object);
    // That of a generator has nothing at all.
    return keys.length === 0
      ? above !== null
      : keys.length === 1 && keys[0] === 'constructor' && above === 'Object.prototype';
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
      value: values[index],
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

  /** Does what can be done; whoever restores compares afterwards. */
  function writeMembers(target: object, content: Content): void {
    const kind = kinds.of(target);
    if (Object.getPrototypeOf(target) !== content.prototype) Reflect.setPrototypeOf(target, content.prototype);
    const now = ownKeys(target, kind);
    // The order of members can be seen: where it differs, all are put in anew.
    if (!areSame(now, content.keys)) for (const key of now) Reflect.deleteProperty(target, key);
    for (const [index, key] of content.keys.entries()) {
      const wanted = descriptorOf(content, index);
      const there = Object.getOwnPropertyDescriptor(target, key);
      if (isAsWanted(there, wanted)) continue;
      if (
        there !== undefined &&
        'value' in there &&
        'value' in wanted &&
        signOf(there) === signOf(wanted) &&
        there.writable === true
      )
        Reflect.set(target, key, wanted.value);
      else Reflect.defineProperty(target, key, wanted);
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
    put(value, content) {
      const kind = kinds.of(value);
      const before = last.get(value);
      if (before === content && isUnchanged(value, kind, content)) return;
      if (!entries.areSame(value, kind, content.entries)) entries.put(value, kind, content.entries);
      if (content.registrations !== undefined) listeners.put(value as EventTarget, content.registrations);
      if (kind.form !== 'proxy' && kind.form !== 'constant') writeMembers(value, content);
      // Read anew when it is asked for next: nothing is taken for put back that was not seen.
      last.delete(value);
    },
    wordOf,
  };
}
