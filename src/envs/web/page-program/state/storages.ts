import type { MainWindow } from '../parts.ts';

type StoredPairs = readonly (readonly [name: string, value: string])[];

export type Stored = readonly (readonly [Storage, StoredPairs])[];

/** What the page keeps under names of its own, in the order in which the browser lists the names. */
export interface PageStorages {
  capture(): Stored;
  restore(store: Storage, wanted: StoredPairs): void;
}

type Method<T> = (this: Storage, ...values: readonly (string | number)[]) => T;

// Of this realm: a name such as `length` or `getItem` hides nothing from them, and is hidden by nothing.
const {
  key: nameAt,
  getItem,
  setItem,
  removeItem,
  clear,
} = Storage.prototype as unknown as {
  readonly key: Method<string | null>;
  readonly getItem: Method<string | null>;
  readonly setItem: Method<void>;
  readonly removeItem: Method<void>;
  readonly clear: Method<void>;
};

const isInOrder = (one: StoredPairs, other: StoredPairs): boolean =>
  one.length === other.length && one.every(([name], index) => name === other[index]?.[0]);
const without = (one: StoredPairs, other: StoredPairs): boolean => {
  const names = new Set(other.map(([name]) => name));
  return one.some(([name]) => !names.has(name));
};

/** Whether names that both have are listed in the same order. */
export const areListed = (now: Stored, kept: Stored): boolean =>
  now.every(([, pairs], index) => {
    const before = kept[index]?.[1] ?? [];
    return pairs.length !== before.length || without(pairs, before) || isInOrder(pairs, before);
  });

export function createStorages(main: MainWindow): PageStorages {
  function all(): Storage[] {
    try {
      return [main.localStorage, main.sessionStorage];
    } catch {
      // A page without an origin has none.
      return [];
    }
  }

  function namesIn(store: Storage): readonly string[] {
    const names: string[] = [];
    for (;;) {
      const name = Reflect.apply(nameAt, store, [names.length]);
      if (name === null) return names;
      names.push(name);
    }
  }

  const valueIn = (store: Storage, name: string): string | null => Reflect.apply(getItem, store, [name]);
  const pairsIn = (store: Storage): StoredPairs =>
    namesIn(store).map(name => [name, valueIn(store, name) as string] as const);

  return {
    capture: () => all().map(store => [store, pairsIn(store)] as const),
    restore(store, wanted) {
      const names = new Set(wanted.map(([name]) => name));
      for (const name of namesIn(store)) if (!names.has(name)) Reflect.apply(removeItem, store, [name]);
      for (const [name, value] of wanted)
        if (valueIn(store, name) !== value) Reflect.apply(setItem, store, [name, value]);
      // The browser lists names by the room that there was for them: filled anew, there is as much as at first.
      if (isInOrder(pairsIn(store), wanted)) return;
      Reflect.apply(clear, store, []);
      for (const [name, value] of wanted) Reflect.apply(setItem, store, [name, value]);
    },
  };
}
