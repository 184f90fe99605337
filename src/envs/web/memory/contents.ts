import type { Content, Kind, Key } from './records.ts';

/** Reads what is in an object, and writes it back. Runs in the page, before any script of it. */
// oxlint-disable-next-line max-lines-per-function -- sent to the page as one text
export function installContents(): void {
  const keeper = globalThis.espalierKeeper;
  const { kinds, listeners, scopes } = keeper;
  const last = new WeakMap<object, Content>();
  /** Stands in the place of a member that an array has not. */
  const hole = Symbol('hole');
  const none: readonly never[] = [];
  const { clear: clearMap, set: setMap } = Map.prototype;
  const { clear: clearSet, add: addSet } = Set.prototype;
  const standard = new Set<Key>(['length', 'name', 'prototype', 'arguments', 'caller', 'lastIndex', 'stack']);
  type Members = Record<Key, unknown>;

  function areSame(one: readonly unknown[], other: readonly unknown[]): boolean {
    if (one === other) return true;
    if (one.length !== other.length) return false;
    for (let index = 0; index < one.length; index++) if (!Object.is(one[index], other[index])) return false;
    return true;
  }

  function isSameArray(array: readonly unknown[], entries: readonly unknown[]): boolean {
    if (array.length !== entries.length) return false;
    for (let index = 0; index < entries.length; index++) {
      const member = array[index];
      if (Object.is(member, entries[index])) {
        if (member === undefined && !(index in array)) return false;
      } else if (entries[index] !== hole || index in array) return false;
    }
    return true;
  }

  /** What is in it beside its members. */
  function entriesOf(value: object, { form }: Kind): readonly unknown[] {
    switch (form) {
      case 'array':
        return Array.from(value as unknown[], (member, index) =>
          member === undefined && !(index in value) ? hole : member,
        );
      case 'map':
        return [...(value as Map<unknown, unknown>)].flat(1);
      case 'set':
        return [...(value as Set<unknown>)];
      case 'date':
        return [(value as Date).getTime()];
      case 'pattern':
        return [(value as RegExp).source, (value as RegExp).flags, (value as RegExp).lastIndex];
      case 'bytes':
        return bytesOf(value);
      case 'text':
        return [String(value)];
      case 'signal':
        return [((value as AbortController).signal ?? (value as AbortSignal)).aborted];
      case 'target':
        return listeners.of(value as EventTarget).flatMap(({ type, listener }) => [type, listener]);
      case 'proxy':
        return kinds.behind(value) ?? none;
      case 'function':
        return scopes.valuesOf(value);
      default:
        return none;
    }
  }

  function bytesOf(value: object): readonly unknown[] {
    if (value instanceof ArrayBuffer) return value.detached ? none : [...new Uint8Array(value)];
    const { buffer, byteOffset, byteLength } = value as ArrayBufferView;
    return [...new Uint8Array(buffer, byteOffset, byteLength)];
  }

  /** Own members that hold a value; those that are computed are left alone, as reading one may run scripts. */
  function keysOf(value: object, { form }: Kind): { keys: readonly Key[]; computed: readonly object[] } {
    const keys: Key[] = [];
    const computed: object[] = [];
    for (const key of Reflect.ownKeys(value)) {
      if (form === 'array' && typeof key === 'string' && /^\d+$/.test(key)) continue;
      if (form !== 'plain' && form !== 'node' && standard.has(key)) continue;
      const member = Object.getOwnPropertyDescriptor(value, key);
      if (member === undefined) continue;
      if ('value' in member) keys.push(key);
      else computed.push(...[member.get, member.set].filter(one => one !== undefined));
    }
    return { keys, computed };
  }

  /** Nothing is made as long as nothing changed. */
  function isUnchanged(value: object, kind: Kind, before: Content): boolean {
    const { form } = kind;
    if (form === 'array') {
      if (!isSameArray(value as unknown[], before.entries)) return false;
      return (
        before.keys.length === 0 ||
        areSame(
          before.values,
          before.keys.map(key => (value as Members)[key]),
        )
      );
    }
    if (form === 'proxy') return true;
    const shown = Object.keys(value);
    if (!areSame(shown, before.shown)) return false;
    const { keys, values } = before;
    for (let index = 0; index < keys.length; index++)
      if (!Object.is((value as Members)[keys[index] as Key], values[index])) return false;
    return form === 'plain' || form === 'node' || areSame(entriesOf(value, kind), before.entries);
  }

  function read(value: object, kind: Kind): Content {
    const entries = entriesOf(value, kind);
    if (kind.form === 'proxy') return made({ kind, shown: none, keys: none, values: none, entries, computed: none });
    const { keys, computed } = keysOf(value, kind);
    const values = keys.map(key => (value as Members)[key]);
    const shown = kind.form === 'array' ? none : Object.keys(value);
    const heard = kind.form === 'target' ? { registrations: listeners.of(value as EventTarget) } : {};
    return made({ kind, shown, keys, values, entries, computed: [...computed, ...prototypeOf(value, kind)], ...heard });
  }

  /** The methods that a function gives to what it makes. */
  function prototypeOf(value: object, { form }: Kind): readonly object[] {
    const prototype = form === 'function' ? (value as { prototype?: unknown }).prototype : undefined;
    if (typeof prototype !== 'object' || prototype === null || kinds.isNative(prototype)) return none;
    return Reflect.ownKeys(prototype).length > 1 ? [prototype] : none;
  }

  interface Parts extends Omit<Content, 'links' | 'hash'> {
    readonly kind: Kind;
    readonly computed: readonly object[];
  }

  function made({ kind, computed, ...parts }: Parts): Content {
    const { keys, values, entries } = parts;
    const hasher = keeper.hasher();
    hasher.text(kind.form);
    for (const key of [...keys, ...parts.shown]) hasher.text(String(key));
    for (const value of values) hasher.text(wordOf(value));
    for (const value of entries) hasher.text(wordOf(value));
    const isLink = (value: unknown): value is object =>
      typeof value === 'function' || (typeof value === 'object' && value !== null);
    const links = [...values.filter(isLink), ...entries.filter(isLink), ...computed, ...kind.made];
    return { ...parts, links, hash: hasher.value() };
  }

  /** A plain value as a word; what has contents of its own is told by its place instead. */
  function wordOf(value: unknown): string {
    if (typeof value === 'string') return `s${value}`;
    if (typeof value === 'function') return scopes.wordOf(value);
    if (typeof value === 'object' && value !== null) return 'o';
    return Object.is(value, -0) ? '-0' : `${typeof value} ${String(value)}`;
  }

  function writeMembers(target: object, { keys, values, shown }: Content): void {
    const kind = kinds.of(target);
    const now = keysOf(target, kind).keys;
    // The order of members can be seen: where it differs, all are put in anew.
    if (!areSame(now, keys)) for (const key of now) Reflect.deleteProperty(target, key);
    for (const [index, key] of keys.entries()) {
      const value = values[index];
      if (Object.hasOwn(target, key)) Reflect.set(target, key, value);
      else {
        const enumerable = typeof key === 'symbol' || shown.includes(key) || kind.form === 'array';
        Object.defineProperty(target, key, { value, writable: true, enumerable, configurable: true });
      }
    }
  }

  function writeArray(array: unknown[], entries: readonly unknown[]): void {
    array.length = 0;
    array.length = entries.length;
    for (const [index, member] of entries.entries()) if (member !== hole) array[index] = member;
  }

  function writeEntries(value: object, { form }: Kind, entries: readonly unknown[]): void {
    if (form === 'array') writeArray(value as unknown[], entries);
    else if (form === 'map') {
      clearMap.call(value);
      for (let index = 0; index < entries.length; index += 2) setMap.call(value, entries[index], entries[index + 1]);
    } else if (form === 'set') {
      clearSet.call(value);
      for (const member of entries) addSet.call(value, member);
    } else if (form === 'date') (value as Date).setTime(entries[0] as number);
    else if (form === 'pattern') (value as RegExp).lastIndex = entries[2] as number;
    else if (form === 'bytes') writeBytes(value, entries as number[]);
    else if (form === 'text') writeText(value as URL | URLSearchParams, entries[0] as string);
    else if (form === 'function') scopes.putValues(value, entries);
  }

  function writeBytes(value: object, bytes: readonly number[]): void {
    const { buffer, byteOffset, byteLength } =
      value instanceof ArrayBuffer
        ? { buffer: value, byteOffset: 0, byteLength: value.byteLength }
        : (value as ArrayBufferView);
    if (byteLength === bytes.length) new Uint8Array(buffer, byteOffset, byteLength).set(bytes);
  }

  function writeText(value: URL | URLSearchParams, text: string): void {
    if (value instanceof URL) value.href = text;
    else {
      for (const name of new Set(value.keys())) value.delete(name);
      for (const [name, member] of new URLSearchParams(text)) value.append(name, member);
    }
  }

  keeper.contents = {
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
      if (!areSame(entriesOf(value, kind), content.entries)) writeEntries(value, kind, content.entries);
      if (content.registrations !== undefined) listeners.put(value as EventTarget, content.registrations);
      if (kind.form !== 'proxy') writeMembers(value, content);
      last.set(value, content);
    },
    wordOf,
  };
}
