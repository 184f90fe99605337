import type { Content, GraphRecord, Root } from './keeper.ts';

/** Keeps and puts back the data of the scripts of a page, object by object. Runs in the page, before any script of it. */
// oxlint-disable-next-line max-lines-per-function -- sent to the page as one text
export function installGraph(): void {
  const { mix, mixText } = globalThis.espalierKeeper;
  const own = new Set(Object.getOwnPropertyNames(globalThis));
  const lastContent = new WeakMap<object, Content>();
  const accessors = new WeakMap<object, ReadonlySet<string> | null>();
  const tagOf = (value: object): string => Object.prototype.toString.call(value);
  const plainTags = new Set(['[object Object]', '[object Error]', '[object RegExp]', '[object Arguments]']);
  let roots: readonly Root[] = [];

  /** Whether an object has contents that scripts can change and that can be read from outside. */
  function isOpen(value: unknown): value is object {
    if (typeof value === 'function') return Object.keys(value).length > 0;
    if (typeof value !== 'object' || value === null) return false;
    if (Array.isArray(value) || value instanceof Node) return true;
    if (value instanceof Map || value instanceof Set || value instanceof Date || ArrayBuffer.isView(value)) return true;
    return plainTags.has(tagOf(value)) && value !== globalThis;
  }

  /** Members that are computed are left alone: reading one may change what it is read from. */
  function dataKeys(value: object): readonly string[] {
    const keys = Object.keys(value);
    let computed = accessors.get(value);
    if (computed === undefined) {
      const found = keys.filter(key => Object.getOwnPropertyDescriptor(value, key)?.get !== undefined);
      computed = found.length === 0 ? null : new Set(found);
      accessors.set(value, computed);
    }
    return computed === null ? keys : keys.filter(key => computed.has(key) === false);
  }

  function readContent(value: object): Pick<Content, 'keys' | 'values'> {
    if (Array.isArray(value)) return { keys: null, values: value };
    if (value instanceof Map) return { keys: null, values: [...value].flat(1) };
    if (value instanceof Set) return { keys: null, values: [...value] };
    if (value instanceof Date) return { keys: null, values: [value.getTime()] };
    if (ArrayBuffer.isView(value)) return { keys: null, values: [...new Uint8Array(value.buffer)] };
    const keys = dataKeys(value);
    const values = keys.map(key => (value as Record<string, unknown>)[key]);
    return value instanceof RegExp ? { keys, values: [...values, value.lastIndex] } : { keys, values };
  }

  function areSame(one: readonly unknown[] | null, other: readonly unknown[] | null): boolean {
    if (one === other) return true;
    if (one === null || other === null || one.length !== other.length) return false;
    for (let index = 0; index < one.length; index++) if (!Object.is(one[index], other[index])) return false;
    return true;
  }

  function contentOf(value: object): Content {
    const now = readContent(value);
    const last = lastContent.get(value);
    if (last !== undefined && areSame(last.keys, now.keys) && areSame(last.values, now.values)) return last;
    const values = now.values === value ? [...now.values] : now.values;
    const content = { keys: now.keys, values, hash: hashOf(value, now.keys, values) };
    lastContent.set(value, content);
    return content;
  }

  function hashOf(value: object, keys: readonly string[] | null, values: readonly unknown[]): number {
    let hash = mixText(17, Array.isArray(value) ? 'array' : tagOf(value));
    for (const key of keys ?? []) hash = mixText(hash, key);
    for (const member of values) hash = mixText(hash, wordOf(member));
    return hash;
  }

  /** A plain value as a word; what is open is told by its place instead. */
  function wordOf(value: unknown): string {
    if (typeof value === 'string') return `s${value}`;
    if (typeof value === 'function') return `f${value.name}`;
    if (typeof value !== 'object' || value === null) return String(value);
    return isOpen(value) ? 'o' : tagOf(value);
  }

  function capture(more: readonly object[]): GraphRecord {
    const places = new Map<object, number>();
    const objects: object[] = [];
    let [left, right] = [1, 2];
    const note = (value: unknown): void => {
      if (!isOpen(value)) {
        left = mixText(left, wordOf(value));
        return;
      }
      let place = places.get(value);
      if (place === undefined) {
        place = objects.length;
        places.set(value, place);
        objects.push(value);
      }
      left = mix(left, place);
      right = mix(right, place ^ 0x2545f491);
    };
    const rooted = roots.map(root => [root, root.get()] as const);
    const members = new Map<string, unknown>();
    for (const name of Object.getOwnPropertyNames(globalThis)) {
      if (own.has(name)) continue;
      const member = Object.getOwnPropertyDescriptor(globalThis, name);
      if (member !== undefined && 'value' in member) members.set(name, member.value as unknown);
    }
    for (const [, value] of rooted) note(value);
    for (const [name, value] of members) {
      left = mixText(left, name);
      note(value);
    }
    for (const value of more) note(value);
    const contents: Content[] = [];
    for (let index = 0; index < objects.length; index++) {
      const content = contentOf(objects[index] as object);
      contents.push(content);
      left = mix(left, content.hash);
      right = mix(right, content.hash ^ index);
      for (const value of content.values) if (isOpen(value)) note(value);
    }
    const hash = (left >>> 0).toString(16).padStart(8, '0') + (right >>> 0).toString(16).padStart(8, '0');
    return { objects, contents, roots: rooted, members, hash };
  }

  function writeMembers(target: Record<string, unknown>, keys: readonly string[], values: readonly unknown[]): void {
    const now = dataKeys(target);
    // The order of members can be seen: where it differs, all are put in anew.
    if (!areSame(now, keys)) for (const key of now) delete target[key];
    for (const [index, key] of keys.entries()) target[key] = values[index];
  }

  function write(value: object, { keys, values }: Content): void {
    if (Array.isArray(value)) {
      value.length = 0;
      for (const member of values) value.push(member);
    } else if (value instanceof Map) {
      value.clear();
      for (let index = 0; index < values.length; index += 2) value.set(values[index], values[index + 1]);
    } else if (value instanceof Set) {
      value.clear();
      for (const member of values) value.add(member);
    } else if (value instanceof Date) value.setTime(values[0] as number);
    else if (ArrayBuffer.isView(value)) new Uint8Array(value.buffer).set(values as number[]);
    else {
      if (value instanceof RegExp) value.lastIndex = values.at(-1) as number;
      writeMembers(value as Record<string, unknown>, keys ?? [], values);
    }
  }

  function restore({ objects, contents, roots: rooted, members }: GraphRecord): void {
    for (const [root, value] of rooted) if (!Object.is(root.get(), value)) root.set(value);
    const holder = globalThis as unknown as Record<string, unknown>;
    for (const name of Object.getOwnPropertyNames(globalThis)) {
      if (own.has(name) || members.has(name)) continue;
      // What a script declared cannot be taken back, only emptied.
      if (!Reflect.deleteProperty(holder, name)) holder[name] = undefined;
    }
    for (const [name, value] of members) if (!Object.is(holder[name], value)) holder[name] = value;
    for (let index = 0; index < objects.length; index++) {
      const [value, content] = [objects[index] as object, contents[index] as Content];
      const now = readContent(value);
      if (!areSame(now.keys, content.keys) || !areSame(now.values, content.values)) write(value, content);
      lastContent.set(value, content);
    }
  }

  globalThis.espalierKeeper.graph = {
    name(given) {
      roots = given;
    },
    capture,
    restore,
  };
}
