// Taken before they are watched.
const { apply, getPrototypeOf, ownKeys } = Reflect;
const { isView } = ArrayBuffer;
const { isArray } = Array;
const [objects, dates, patterns, maps, sets, buffers] = [Object, Date, RegExp, Map, Set, ArrayBuffer].map(
  kind => kind.prototype as object,
) as [object, object, object, object, object, object];
const views = [
  DataView,
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
].map(kind => kind.prototype as object);
const getTime = Date.prototype.getTime;
const { forEach: eachOfMap } = Map.prototype;
const { forEach: eachOfSet } = Set.prototype;
const [sourceOf, flagsOf] = ['source', 'flags'].map(
  name => Object.getOwnPropertyDescriptor(RegExp.prototype, name)?.get as () => string,
) as [() => string, () => string];
const Bytes = Uint8Array;
const { getOwnPropertyDescriptor } = Object;

/** Says in words what is in copies that the browser made for a database. They run nothing of the page. */
export interface CloneWords {
  /** Null where something in it is not known. */
  of(value: unknown): string | null;
  /** An object with a key at this path. */
  withKey(path: string, key: number): object;
}

export function createCloneWords(): CloneWords {
  const known = new WeakMap<object, string | null>();
  const [wordOf, keep] = [known.get.bind(known), known.set.bind(known)];

  function read(value: unknown, seen: Map<object, number>): string {
    if (typeof value === 'string') return JSON.stringify(value);
    if (typeof value !== 'object' || value === null)
      return `${typeof value} ${Object.is(value, -0) ? '-0' : String(value)}`;
    const before = seen.get(value);
    if (before !== undefined) return `again ${before}`;
    seen.set(value, seen.size);
    const prototype = getPrototypeOf(value);
    if (isArray(value) || prototype === objects) return readMembers(value, seen);
    if (prototype === dates) return `date ${apply(getTime, value, [])}`;
    if (prototype === patterns) return `pattern ${apply(sourceOf, value, [])} ${apply(flagsOf, value, [])}`;
    if (prototype === maps) {
      const parts: string[] = [];
      apply(eachOfMap, value, [(one: unknown, key: unknown) => void parts.push(read(key, seen), read(one, seen))]);
      return `map ${parts.join()}`;
    }
    if (prototype === sets) {
      const parts: string[] = [];
      apply(eachOfSet, value, [(one: unknown) => void parts.push(read(one, seen))]);
      return `set ${parts.join()}`;
    }
    if (prototype === buffers) return `bytes ${new Bytes(value as ArrayBuffer).join()}`;
    const kind = views.findIndex(one => one === prototype);
    if (!isView(value) || kind < 0) throw new TypeError('unknown');
    const { byteOffset, byteLength, buffer } = value;
    return `view ${kind} ${byteOffset} ${byteLength} ${read(buffer, seen)}`;
  }

  function readMembers(value: object, seen: Map<object, number>): string {
    const isList = isArray(value);
    const parts: string[] = [];
    for (const key of ownKeys(value)) {
      if (isList && key === 'length') continue;
      const member = getOwnPropertyDescriptor(value, key);
      if (typeof key !== 'string' || member === undefined || !('value' in member)) throw new TypeError('unknown');
      parts.push(`${JSON.stringify(key)}:${read(member.value, seen)}`);
    }
    return isList ? `list ${(value as readonly unknown[]).length}[${parts.join()}]` : `{${parts.join()}}`;
  }

  return {
    of(value) {
      if (typeof value !== 'object' || value === null) return read(value, new Map());
      const before = wordOf(value);
      if (before !== undefined) return before;
      let word: string | null = null;
      try {
        word = read(value, new Map());
      } catch {
        // It stays unknown.
      }
      keep(value, word);
      return word;
    },
    withKey(path, key) {
      let made: unknown = key;
      for (const name of path.split('.').toReversed()) made = { [name]: made };
      return made as object;
    },
  };
}
