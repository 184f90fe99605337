import type { MainWindow } from '../page/parts.ts';

/** What the browser brought along, before any script of the page. */
export interface Natives {
  /** What it is called, such as `Map.prototype`; null when it is of the page. */
  nameOf(value: object): string | null;
  /** Calls back for every native that can be the prototype of something, with the name of its interface. */
  eachPrototype(told: (prototype: object, interfaceName: string) => void): void;
  /** What scripts of the page made of natives: members that they added, and members of the window that they replaced. */
  changed(): readonly Changed[];
  /** A member of another native that scripts of the page replaced or removed, in words. */
  replaced(): string | null;
  /** Gives members of natives their state at a snapshot. */
  put(wanted: readonly Changed[]): void;
}

export interface Changed {
  readonly holder: object;
  readonly key: string | symbol;
  /** Null when it was removed. */
  readonly descriptor: PropertyDescriptor | null;
}

interface Baseline {
  readonly object: object;
  readonly keys: readonly (string | symbol)[];
  /** The value of a data member, the getter of an accessor. */
  readonly values: readonly unknown[];
  readonly isAccessor: readonly boolean[];
  readonly setters: readonly unknown[];
}

export interface NativesOptions {
  readonly main: MainWindow;
  /** Objects whose prototypes have no global name. */
  readonly samples: readonly object[];
  /** Interfaces whose members are compared; of the others only their names are known. */
  readonly watched: ReadonlySet<string>;
}

/** Reads once what the browser has, and tells later what scripts of the page made of it. */
// oxlint-disable-next-line max-lines-per-function -- one closure over the state of the part
export function createNatives({ main, samples, watched }: NativesOptions): Natives {
  const names = new Map<object, string>();
  const found: object[] = [];
  const isObject = (value: unknown): value is object =>
    typeof value === 'function' || (typeof value === 'object' && value !== null);

  function add(value: unknown, name: string): void {
    if (!isObject(value) || names.has(value) || value === main.document) return;
    names.set(value, name);
    found.push(value);
  }

  function isWatched(name: string): boolean {
    const [holder] = name.split('.', 1) as [string];
    return name === 'window' || !/^[A-Z]/.test(name) || watched.has(holder);
  }

  function walk(): void {
    for (let index = found.length - 1; index < found.length; index++) {
      const object = found[index] as object;
      const name = names.get(object) as string;
      if (!isWatched(name)) continue;
      const within = object === main ? '' : `${name}.`;
      for (const key of Reflect.ownKeys(object)) {
        const member = Object.getOwnPropertyDescriptor(object, key) as PropertyDescriptor;
        const called = `${within}${String(key)}`;
        if ('value' in member) {
          add(member.value, called);
          // The prototype of an interface is known whether or not its members are watched.
          if (object === main && typeof member.value === 'function')
            add((member.value as { prototype?: unknown }).prototype, `${called}.prototype`);
        }
        else {
          add(member.get, called);
          add(member.set, `${called}=`);
        }
      }
      add(Object.getPrototypeOf(object), `the prototype of ${name}`);
    }
  }

  function baselineOf(object: object): Baseline {
    const keys = Reflect.ownKeys(object);
    const members = keys.map(key => Object.getOwnPropertyDescriptor(object, key) as PropertyDescriptor);
    return {
      object,
      keys,
      values: members.map(member => ('value' in member ? (member.value as unknown) : member.get)),
      isAccessor: members.map(member => !('value' in member)),
      setters: members.map(member => member.set),
    };
  }

  function difference({ object, keys, values, isAccessor, setters }: Baseline): string | symbol | null {
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index] as string;
      if (isAccessor[index] === true) {
        const member = Object.getOwnPropertyDescriptor(object, key);
        if (member === undefined || member.get !== values[index] || member.set !== setters[index]) return key;
      } else if (!Object.is((object as Record<string, unknown>)[key], values[index])) return key;
    }
    return null;
  }

  function addedTo(object: object, before: readonly (string | symbol)[]): readonly Changed[] {
    const known = new Set(before);
    return Reflect.ownKeys(object)
      .filter(key => !known.has(key))
      .map(key => ({
        holder: object,
        key,
        descriptor: Object.getOwnPropertyDescriptor(object, key) as PropertyDescriptor,
      }));
  }

  add(main, 'window');
  walk();
  for (const sample of samples)
    for (let at: unknown = Object.getPrototypeOf(sample); isObject(at) && !names.has(at); at = Object.getPrototypeOf(at)) {
      add(at, `the prototype of a ${Object.prototype.toString.call(sample).slice(8, -1).toLowerCase()}`);
      walk();
    }

  /** Functions with nothing but a name and a length are asked for enumerable members alone: there are thousands. */
  const isPlainFunction = (object: object): boolean =>
    typeof object === 'function' && !('prototype' in object) && Reflect.ownKeys(object).length <= 2;
  const baselines = found.filter(object => !isPlainFunction(object)).map(baselineOf);
  const functions = found.filter(isPlainFunction);
  const ofWindow = baselines.find(({ object }) => object === main) as Baseline;
  const originals = new Map(
    ofWindow.keys.map(key => [key, Object.getOwnPropertyDescriptor(main, key) as PropertyDescriptor]),
  );

  function changedInWindow(): readonly Changed[] {
    const all: Changed[] = [];
    for (const [index, key] of ofWindow.keys.entries()) {
      const isAccessor = ofWindow.isAccessor[index] === true;
      if (!isAccessor && Object.is((main as unknown as Record<typeof key, unknown>)[key], ofWindow.values[index])) continue;
      const descriptor = Object.getOwnPropertyDescriptor(main, key) ?? null;
      const isSame = isAccessor && descriptor?.get === ofWindow.values[index] && descriptor?.set === ofWindow.setters[index];
      if (!isSame) all.push({ holder: main, key, descriptor });
    }
    return all;
  }

  function changed(): readonly Changed[] {
    const all: Changed[] = [...changedInWindow()];
    for (const { object, keys } of baselines) {
      const count = Reflect.ownKeys(object).length;
      if (count !== keys.length || (object === main && all.some(({ descriptor }) => descriptor === null)))
        all.push(...addedTo(object, keys));
    }
    for (const run of functions)
      for (const key in run) if (Object.hasOwn(run, key)) all.push(...addedTo(run, ['name', 'length', key]));
    return all;
  }

  function putBack({ holder, key }: Changed): void {
    const original = holder === main ? originals.get(key) : undefined;
    if (original !== undefined) Reflect.defineProperty(holder, key, original);
    // What a script declared cannot be taken back, only emptied: the comparison then finds it.
    else if (!Reflect.deleteProperty(holder, key)) Reflect.set(holder, key, undefined);
  }

  return {
    nameOf: value => names.get(value) ?? null,
    eachPrototype(told) {
      for (const object of found) {
        const { constructor } = object as { constructor?: unknown };
        if (typeof object === 'function' || typeof constructor !== 'function') continue;
        const isIts = (constructor as { prototype?: unknown }).prototype === object;
        told(object, isIts ? String((constructor as Function).name) : (names.get(object) as string));
      }
    },
    changed,
    replaced() {
      for (const baseline of baselines) {
        if (baseline.object === main) continue;
        const key = difference(baseline);
        if (key !== null) return `${names.get(baseline.object) as string}.${String(key)}`;
      }
      return null;
    },
    put(wanted) {
      const at = ({ holder, key }: Changed): boolean => wanted.some(one => one.holder === holder && one.key === key);
      for (const one of changed()) if (!at(one)) putBack(one);
      for (const { holder, key, descriptor } of wanted) {
        const now = Object.getOwnPropertyDescriptor(holder, key);
        if (descriptor === null) Reflect.deleteProperty(holder, key);
        else if (now?.writable === true && 'value' in descriptor) Reflect.set(holder, key, descriptor.value);
        else Reflect.defineProperty(holder, key, descriptor);
      }
    },
  };
}
