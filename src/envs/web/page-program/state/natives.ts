import type { MainWindow } from '../parts.ts';

/** What the browser brought along, before any script of the page. */
export interface Natives {
  /** What it is called, such as `Map.prototype`; null when it is of the page. */
  nameOf(value: object): string | null;
  /** Calls back for every native that can be the prototype of something, with the name of its interface. */
  eachPrototype(told: (prototype: object, interfaceName: string) => void): void;
  /** What scripts of the page made of natives: members that they added, and members of the window that they replaced. */
  changed(): readonly Changed[];
  /** The same, where only the window is asked: of other natives it tells what `changed` found last. There are thousands. */
  changedInWindow(): readonly Changed[];
  /** A member of another native that scripts of the page replaced, removed or hid, in words. */
  replaced(): string | null;
  /** Whether nodes of the browser have a member of this name: one of a script's own would hide it. */
  isOfNodes(key: Key): boolean;
  /** Of natives whose attributes, prototype or extensibility are not those that the browser gave them: what they are now. */
  shapes(): string;
  /** Gives members of natives their state at a snapshot, where it is not the one that they have now. */
  restore(wanted: readonly Changed[], now: readonly Changed[]): void;
}

type Key = string | symbol;

export interface Changed {
  readonly holder: object;
  readonly key: Key;
  /** Null when it was removed. */
  readonly descriptor: PropertyDescriptor | null;
}

interface Baseline {
  readonly object: object;
  readonly keys: readonly Key[];
  /** The value of a data member, the getter of an accessor. */
  readonly values: readonly unknown[];
  readonly isAccessor: readonly boolean[];
  readonly setters: readonly unknown[];
  /** Whether accessors are compared as well. Where they are not, only `onReshape` tells that one was replaced. */
  readonly isWatched: boolean;
}

export interface NativesOptions {
  readonly main: MainWindow;
  /** Objects whose prototypes have no global name. */
  readonly samples: readonly object[];
  /** Functions that no name leads to. */
  readonly unnamed: readonly object[];
  /** Interfaces whose members scripts may use: what a member is called is known, and accessors are compared. */
  readonly watched: ReadonlySet<string>;
  /** Tells of every object whose attributes a script is about to change. */
  onReshape(told: (object: object) => void): void;
  /** Whether a function trips by itself when scripts change its members. */
  isWire(value: object): boolean;
}

const signOf = (member: PropertyDescriptor | undefined): string =>
  member === undefined
    ? '-'
    : String(Number(member.enumerable) + 2 * Number(member.configurable) + 4 * Number(member.writable ?? false));

/** Functions of the browser have these members and no others. */
const ofFunctions: readonly Key[] = ['length', 'name'];
const isBare = (keys: readonly Key[]): boolean => keys.length === 2 && keys[0] === 'length' && keys[1] === 'name';

const isObject = (value: unknown): value is object =>
  typeof value === 'function' || (typeof value === 'object' && value !== null);

/** Reads once what the browser has, and tells later what scripts of the page made of it. */
export function createNatives({ main, samples, unnamed, watched, onReshape, isWire }: NativesOptions): Natives {
  const names = new Map<object, string>();
  // Asked once: there are thousands of natives to compare with them.
  const { document } = main;
  const ofAllFunctions = main.Function.prototype;
  /** Objects whose members are compared, with what their members were. */
  const baselines: Baseline[] = [];
  /** Functions are only asked which members they have: there are thousands. */
  const functions: object[] = [];
  /** What members were whose attributes can have been changed: of the window, and of functions. */
  const originals = new Map<object, ReadonlyMap<Key, PropertyDescriptor>>();
  /** A native that was reshaped and whose accessors are not compared. */
  let reshaped: object | null = null;
  /** Natives that were reshaped: a member may have become a getter, which is not called to find out. */
  const closely = new Set<object>();
  const prototypes: object[] = [];
  /** What was last found of natives other than the window. */
  let elsewhere: readonly Changed[] = [];

  const isWatched = (name: string): boolean => watched.has(name.split('.', 1)[0] as string) || !/^[A-Z]/.test(name);

  /** Interfaces without objects have constants, such as NodeFilter; what functions inherit from is a function. */
  const hasMembers = (run: object, name: string): boolean =>
    (!name.includes('.') && /^[A-Z]\w*$/.test(name)) || run === ofAllFunctions;

  /** Knows a native by its name; its members as well where they are watched. */
  function add(value: unknown, name: string): void {
    if (!isObject(value) || names.has(value) || value === document) return;
    names.set(value, name);
    const { prototype } = value as { prototype?: unknown };
    if (typeof value === 'function' && !isObject(prototype) && !hasMembers(value, name)) {
      if (!isWire(value)) functions.push(value);
      return;
    }
    if (typeof value !== 'function') prototypes.push(value);
    if (!isWatched(name)) {
      if (!isWire(value)) baselines.push(membersOf(value, false));
      add(prototype, `${name}.prototype`);
      return;
    }
    read(value, value === main ? '' : `${name}.`);
    add(Object.getPrototypeOf(value), `the prototype of ${name}`);
  }

  function membersOf(object: object, isComparedWholly: boolean): Baseline {
    const keys = Reflect.ownKeys(object);
    const [values, isAccessor, setters]: [unknown[], boolean[], unknown[]] = [[], [], []];
    for (const key of keys) {
      const member = Object.getOwnPropertyDescriptor(object, key) as PropertyDescriptor;
      const isData = 'value' in member;
      isAccessor.push(!isData);
      values.push(isData ? (member.value as unknown) : member.get);
      setters.push(member.set);
    }
    return { object, keys, values, isAccessor, setters, isWatched: isComparedWholly };
  }

  function read(object: object, within: string): void {
    const baseline = membersOf(object, true);
    const { keys, values, setters } = baseline;
    baselines.push(baseline);
    for (let index = 0; index < keys.length; index++) {
      const name = `${within}${String(keys[index])}`;
      add(values[index], name);
      if (setters[index] !== undefined) add(setters[index], `${name}=`);
    }
  }

  function addSingle(get: (() => unknown) | undefined): void {
    if (get === undefined) return;
    try {
      const value: unknown = get.call(main);
      const isStore = value instanceof main.Storage;
      if (isObject(value) && value !== main && !(value instanceof main.Node) && !isStore)
        add(value, names.get(get) ?? 'an object of the window');
    } catch {
      // A page without an origin has not all of them.
    }
  }

  function difference(baseline: Baseline): Key | null {
    const { object, keys, values, isAccessor, setters } = baseline;
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index] as string;
      if (isAccessor[index] === true) {
        if (!baseline.isWatched && Object.hasOwn(object, key)) continue;
        const member = Object.getOwnPropertyDescriptor(object, key);
        if (member === undefined || member.get !== values[index] || member.set !== setters[index]) return key;
      } else if (closely.has(object)) {
        const member = Object.getOwnPropertyDescriptor(object, key);
        if (member === undefined || !('value' in member) || !Object.is(member.value, values[index])) return key;
      } else if (!Object.is((object as Record<string, unknown>)[key], values[index])) return key;
    }
    return null;
  }

  const memberOf = (holder: object, key: Key): Changed => ({
    holder,
    key,
    descriptor: Object.getOwnPropertyDescriptor(holder, key) ?? null,
  });

  function addedTo(object: object, before: readonly Key[]): readonly Changed[] {
    const known = new Set(before);
    return Reflect.ownKeys(object)
      .filter(key => !known.has(key))
      .map(key => memberOf(object, key));
  }

  /** Members that a function did not have, and those that it has no more. */
  function changedIn(run: object): readonly Changed[] {
    const removed = ofFunctions.filter(key => !Object.hasOwn(run, key)).map(key => memberOf(run, key));
    return [...removed, ...addedTo(run, ofFunctions)];
  }

  /** Members of functions that were given other values, which takes a call that is watched. */
  function redefined(): readonly Changed[] {
    return [...originals].flatMap(([holder, members]) =>
      holder === main
        ? []
        : [...members].flatMap(([key, { value }]) => {
            const now = memberOf(holder, key);
            return now.descriptor === null || Object.is(now.descriptor.value, value) ? [] : [now];
          }),
    );
  }

  add(main, 'window');
  // What the window hands out is there once: navigator, location, history and the like.
  const ofWindow = baselines.find(({ object }) => object === main) as Baseline;
  for (const [index, value] of ofWindow.values.entries())
    if (ofWindow.isAccessor[index] === true && typeof ofWindow.keys[index] === 'string')
      addSingle(value as (() => unknown) | undefined);
  for (const key of Reflect.ownKeys(document)) {
    const { get, set } = Object.getOwnPropertyDescriptor(document, key) as PropertyDescriptor;
    add(get, `document.${String(key)}`);
    add(set, `document.${String(key)}=`);
  }
  for (const sample of samples)
    for (
      let at: unknown = Object.getPrototypeOf(sample);
      isObject(at) && !names.has(at);
      at = Object.getPrototypeOf(at)
    )
      add(at, `the prototype of a ${Object.prototype.toString.call(sample).slice(8, -1).toLowerCase()}`);
  for (const [index, value] of unnamed.entries()) add(value, `unnamed ${index}`);
  // Arguments are iterated over by a function of the realm that reads them, which is ours.
  names.set(Array.prototype.values, names.get(main.Array.prototype.values) as string);
  const describe = (object: object, keys: readonly Key[]): ReadonlyMap<Key, PropertyDescriptor> =>
    new Map(keys.map(key => [key, Object.getOwnPropertyDescriptor(object, key) as PropertyDescriptor]));
  originals.set(main, describe(main, ofWindow.keys));
  const own = new Set<object>(functions);
  const unwatched = new Set(baselines.filter(({ isWatched: isWhole }) => !isWhole).map(({ object }) => object));
  onReshape(object => {
    if (own.has(object) && !originals.has(object) && ofFunctions.every(key => Object.hasOwn(object, key)))
      originals.set(object, describe(object, ofFunctions));
    if (unwatched.has(object)) reshaped ??= object;
    if (names.has(object)) {
      closely.add(object);
      noteShape(object);
    }
  });

  interface Shape {
    /** Reads it anew. */
    read(): string;
    readonly first: string;
    /** Null when it has to be read. */
    now: string | null;
  }
  const shaped = new Map<object, Shape>();
  const natural = new Map(baselines.map(({ object, keys }) => [object, keys]));

  /** Called before a script changes a native, so its first shape is that of the browser. */
  function noteShape(object: object): void {
    const known = shaped.get(object);
    if (known !== undefined) {
      known.now = null;
      return;
    }
    const keys = natural.get(object) ?? ofFunctions;
    const prototype = Object.getPrototypeOf(object) as object | null;
    const readShape = (): string => {
      const isBelow = Object.getPrototypeOf(object) === prototype;
      const signs = keys.map(key => signOf(Object.getOwnPropertyDescriptor(object, key)));
      return `${names.get(object) as string} ${Object.isExtensible(object)} ${isBelow} ${signs.join('')}`;
    };
    shaped.set(object, { read: readShape, first: readShape(), now: null });
  }

  function shapes(): string {
    let text = '';
    for (const shape of shaped.values()) {
      shape.now ??= shape.read();
      if (shape.now !== shape.first) text += `${shape.now};`;
    }
    return text;
  }

  /** A member that all objects inherit is hidden, until a script removes it and assigns it anew. */
  const { prototype: ofAllArrays } = main.Array;
  function visible(): string | null {
    for (const object of [ofAllArrays, ofAllFunctions]) for (const key in object) if (hidden.has(key)) return key;
    return null;
  }
  const above = new Set<object>([ofAllArrays, ofAllFunctions, main.Object.prototype]);
  const hidden = new Set(baselines.flatMap(({ object, keys }) => (above.has(object) ? keys : [])));

  /** Prototypes of nodes and events, and every member that they have. */
  const ofNodes = new Set<object>([main.EventTarget.prototype, main.Event.prototype]);
  for (const { object } of baselines)
    for (let at: unknown = object; isObject(at); at = Object.getPrototypeOf(at))
      if (ofNodes.has(at)) ofNodes.add(object);
  const keysOfNodes = new Set<Key>(baselines.flatMap(({ object, keys }) => (ofNodes.has(object) ? keys : [])));
  for (const key of ['constructor', Symbol.toStringTag]) keysOfNodes.delete(key);

  /** A member that a script added to a prototype, and that hides one which nodes inherit. */
  function hiding({ object, keys }: Baseline): Key | null {
    if (!ofNodes.has(object) || Reflect.ownKeys(object).length === keys.length) return null;
    const known = new Set(keys);
    return Reflect.ownKeys(object).find(key => !known.has(key) && keysOfNodes.has(key)) ?? null;
  }

  function replacedInWindow(): readonly Changed[] {
    const all: Changed[] = [];
    for (const [index, key] of ofWindow.keys.entries()) {
      const isAccessor = ofWindow.isAccessor[index] === true;
      if (!isAccessor && Object.is((main as unknown as Record<typeof key, unknown>)[key], ofWindow.values[index]))
        continue;
      const descriptor = Object.getOwnPropertyDescriptor(main, key) ?? null;
      const isSame =
        isAccessor && descriptor?.get === ofWindow.values[index] && descriptor?.set === ofWindow.setters[index];
      if (!isSame) all.push({ holder: main, key, descriptor });
    }
    return all;
  }

  function changed(): readonly Changed[] {
    const all: Changed[] = ofWindowNow();
    const start = all.length;
    for (const { object, keys } of baselines)
      if (object !== main && Reflect.ownKeys(object).length !== keys.length) all.push(...addedTo(object, keys));
    for (const run of functions) if (!isBare(Reflect.ownKeys(run))) all.push(...changedIn(run));
    all.push(...redefined());
    elsewhere = all.slice(start);
    return all;
  }

  function ofWindowNow(): Changed[] {
    const { keys } = ofWindow;
    const all = [...replacedInWindow()];
    if (Reflect.ownKeys(main).length !== keys.length || all.some(({ descriptor }) => descriptor === null))
      all.push(...addedTo(main, keys));
    return all;
  }

  function restoreOriginal({ holder, key }: Changed): void {
    const original = originals.get(holder)?.get(key);
    if (original !== undefined) Reflect.defineProperty(holder, key, original);
    // What a script declared cannot be taken back, only emptied: the comparison then finds it.
    else if (!Reflect.deleteProperty(holder, key)) Reflect.set(holder, key, undefined);
  }

  return {
    nameOf: value => names.get(value) ?? null,
    eachPrototype(told) {
      for (const object of prototypes) {
        const { constructor } = object as { constructor?: unknown };
        if (typeof constructor !== 'function') continue;
        const isIts = (constructor as { prototype?: unknown }).prototype === object;
        told(object, isIts ? String((constructor as Function).name) : (names.get(object) as string));
      }
    },
    isOfNodes: key => keysOfNodes.has(key),
    changed,
    changedInWindow: () => [...ofWindowNow(), ...elsewhere.map(({ holder, key }) => memberOf(holder, key))],
    shapes,
    replaced() {
      if (reshaped !== null) return names.get(reshaped) as string;
      const assigned = visible();
      if (assigned !== null) return `member ${assigned} of all objects`;
      for (const baseline of baselines) {
        if (baseline.object === main) continue;
        const key = difference(baseline) ?? hiding(baseline);
        if (key !== null) return `${names.get(baseline.object) as string}.${String(key)}`;
      }
      return null;
    },
    restore(wanted, now) {
      const at = ({ holder, key }: Changed): boolean => wanted.some(one => one.holder === holder && one.key === key);
      for (const one of now) if (!at(one)) restoreOriginal(one);
      for (const { holder, key, descriptor } of wanted) {
        const there = Object.getOwnPropertyDescriptor(holder, key);
        if (descriptor === null) Reflect.deleteProperty(holder, key);
        else if (there?.writable === true && 'value' in descriptor) Reflect.set(holder, key, descriptor.value);
        else Reflect.defineProperty(holder, key, descriptor);
      }
    },
  };
}
