import { first, unheard } from '../base.ts';
import type { DatabaseContent, PageBase, PageDatabases, PageListeners, PageTripwires, StoreContent } from '../parts.ts';
import { createCloneWords } from './clone-words.ts';
import { prototypeOf, replaceMethod } from './clock-sources.ts';

// Taken before they are watched.
const { apply } = Reflect;
const RealPromise = Promise;
const factory = IDBFactory.prototype;
const { databases: listAll, open } = factory;
const { close, transaction } = IDBDatabase.prototype;
const { abort, objectStore } = IDBTransaction.prototype;
const { add, clear, delete: remove, getAll, getAllKeys, index, put } = IDBObjectStore.prototype;
type Get = (self: object) => unknown;
const getter = (holder: object, name: string): Get => {
  const get = Object.getOwnPropertyDescriptor(holder, name)?.get as () => unknown;
  return self => apply(get, self, []);
};
const ofDatabase = ['name', 'version', 'objectStoreNames'].map(name => getter(IDBDatabase.prototype, name));
const [nameOf, versionOf, storesOf] = ofDatabase as [Get, Get, Get];
const [modeOf, databaseOf] = [getter(IDBTransaction.prototype, 'mode'), getter(IDBTransaction.prototype, 'db')];
const ofStore = ['name', 'keyPath', 'autoIncrement', 'indexNames', 'transaction'];
const [storeName, keyPathOf, countsUp, indexesOf, transactionOf] = ofStore.map(name =>
  getter(IDBObjectStore.prototype, name),
) as [Get, Get, Get, Get, Get];
const ofIndex = ['name', 'keyPath', 'unique', 'multiEntry', 'objectStore'];
const readIndex = ofIndex.map(name => getter(IDBIndex.prototype, name)) as [Get, Get, Get, Get, Get];
const ofRequest = ['readyState', 'result', 'error', 'source', 'transaction'];
const [stateOf, resultOf, errorOf, sourceOf, within] = ofRequest.map(name => getter(IDBRequest.prototype, name)) as [
  Get,
  Get,
  Get,
  Get,
  Get,
];
const formReason = 'a database whose form was made or changed since';
/** A database that does not answer for so many milliseconds is not kept. */
const mostWait = 3000;

export interface DatabasesOptions {
  readonly listeners: Pick<PageListeners, 'hearOn'>;
  readonly tripwires: Pick<PageTripwires, 'tripSince' | 'moment'>;
  readonly base: Pick<PageBase, 'pause'>;
  /** Whether the document ever had a frame: what that does with a database, nobody tells. */
  hasHadFrames(): boolean;
}

interface Connection {
  /** When it was opened, in snapshots. */
  readonly made: number;
  isClosed: boolean;
}

/**
 * Keeps what a page has in IndexedDB. It is read when the page is at rest, on a connection of ours, and written back on one; what
 * cannot be undone, such as a new form of a database, invalidates earlier snapshots.
 */
export function createDatabases({ listeners, tripwires, base, hasHadFrames }: DatabasesOptions): PageDatabases {
  const { tripSince, moment } = tripwires;
  const connections = new Map<object, Connection>();
  const transactions = new WeakMap<object, { isOver: boolean }>();
  const [transactionState, noteTransaction] = [
    transactions.get.bind(transactions),
    transactions.set.bind(transactions),
  ];
  const [opening, running] = [new Set<object>(), new Set<object>()];
  const dirty = new Set<string>();
  const contents = new Map<string, DatabaseContent>();
  /** What was in each when it was first read: nothing was written before. */
  const firstWords = new Map<string, string>();
  let wanted: readonly DatabaseContent[] = [];
  const words = createCloneWords();

  function connect(database: object): void {
    if (!connections.has(database)) connections.set(database, { made: moment(), isClosed: false });
    const name = nameOf(database) as string;
    if (!contents.has(name)) dirty.add(name);
  }

  function noteWriting(name: string): void {
    dirty.add(name);
    if (!contents.has(name)) tripSince('a database that was written before it was read');
  }

  function follow(one: object): void {
    if (transactionState(one) !== undefined) return;
    const state = { isOver: false };
    noteTransaction(one, state);
    running.add(one);
    if (modeOf(one) !== 'readonly') noteWriting(nameOf(databaseOf(one) as object) as string);
    for (const type of ['complete', 'abort'])
      listeners.hearOn(one as EventTarget, type, () => {
        state.isOver = true;
        running.delete(one);
      });
  }

  function watch(): void {
    replaceMethod(factory, 'open', (real, self, values) => {
      const request = apply(real, self, values) as EventTarget;
      opening.add(request);
      listeners.hearOn(request, 'upgradeneeded', () => {
        tripSince(formReason);
        connect(resultOf(request) as object);
        follow(within(request) as object);
      });
      listeners.hearOn(request, 'success', () => {
        opening.delete(request);
        connect(resultOf(request) as object);
      });
      listeners.hearOn(request, 'error', () => void opening.delete(request));
      return request;
    });
    replaceMethod(factory, 'deleteDatabase', (real, self, values) => {
      const request = apply(real, self, values) as EventTarget;
      opening.add(request);
      tripSince('a database that was deleted');
      for (const type of ['success', 'error'])
        listeners.hearOn(request, type, () => {
          opening.delete(request);
          contents.clear();
          for (const [database, { isClosed }] of connections) if (!isClosed) dirty.add(nameOf(database) as string);
        });
      return request;
    });
    const holder = prototypeOf('IDBDatabase');
    replaceMethod(holder, 'transaction', (real, self, values) => {
      const made = apply(real, self, values) as object;
      follow(made);
      return made;
    });
    replaceMethod(holder, 'close', (real, self, values) => {
      apply(real, self, values);
      const known = connections.get(self as object);
      if (known === undefined || known.isClosed) return;
      known.isClosed = true;
      tripSince('a connection to a database that was closed', known.made);
    });
  }

  const answerOf = (target: object, types: readonly [good: string, ...bad: string[]]): Promise<Event> =>
    unheard(
      new RealPromise((resolve, reject) => {
        for (const [at, type] of types.entries())
          listeners.hearOn(target as EventTarget, type, event => {
            if (at === 0) return resolve(event);
            event.preventDefault();
            reject(new Error('A database does not answer.'));
          });
      }),
    );
  const answered = async (request: object): Promise<unknown> => {
    await answerOf(request, ['success', 'error']);
    return resultOf(request);
  };

  /** On a connection of its own, which is closed before anybody can wait for it. */
  async function withDatabase(name: string, work: (database: object) => Promise<void>): Promise<void> {
    const request = apply(open, indexedDB, [name]);
    listeners.hearOn(request, 'upgradeneeded', () => void apply(abort, within(request), []));
    const database = (await answered(request)) as object;
    try {
      await work(database);
    } finally {
      apply(close, database, []);
    }
  }

  const listOf = (list: unknown): readonly string[] =>
    Array.from({ length: (list as DOMStringList).length }, (_, at) => (list as DOMStringList)[at] as string);

  function begin(
    database: object,
    names: readonly string[],
    mode: string,
  ): { readonly made: object; of(name: string): object } {
    const made = apply(transaction, database, [[...names], mode]) as object;
    return { made, of: name => apply(objectStore, made, [name]) as object };
  }

  async function readStore(store: object): Promise<Omit<StoreContent, 'next'>> {
    const asked = [apply(getAllKeys, store, []), apply(getAll, store, [])] as const;
    const indexes = listOf(indexesOf(store)).map(name => {
      const found = apply(index, store, [name]);
      return readIndex.slice(0, 4).map(get => String(get(found)));
    });
    const keyPath = keyPathOf(store);
    const form = JSON.stringify([storeName(store), keyPath, countsUp(store), indexes]);
    const keys = (await answered(asked[0])) as readonly unknown[];
    const values = (await answered(asked[1])) as readonly unknown[];
    return { name: storeName(store) as string, form, isInline: keyPath !== null, keys, values };
  }

  /** The number that the next record gets: tried out, and taken back. */
  async function nextNumber(database: object, name: string, isInline: boolean): Promise<number> {
    const { made, of } = begin(database, [name], 'readwrite');
    const over = answerOf(made, ['abort', 'complete']);
    const key = (await answered(apply(add, of(name), [isInline ? {} : 0]))) as number;
    apply(abort, made, []);
    await over;
    return key;
  }

  async function readDatabase(name: string): Promise<void> {
    const stores: StoreContent[] = [];
    let version = 0;
    await withDatabase(name, async database => {
      version = versionOf(database) as number;
      for (const store of listOf(storesOf(database))) {
        const { made, of } = begin(database, [store], 'readonly');
        const over = answerOf(made, ['complete', 'abort']);
        const found = of(store);
        const isNumbered = countsUp(found) === true;
        const content = await readStore(found);
        await over;
        const next = isNumbered ? await nextNumber(database, store, content.isInline) : null;
        stores.push({ ...content, next });
      }
    });
    const texts = stores.map(({ form, next, keys, values }) =>
      [form, next, words.of(keys), words.of(values)].map(String).join('\n'),
    );
    const limit = stores.some(({ values }) => words.of(values) === null)
      ? 'a database with a value that cannot be read'
      : null;
    const word = [name, version, ...texts].join('\n');
    const before = contents.get(name);
    if (before?.word !== word || limit !== null) contents.set(name, { name, version, stores, word, limit });
    if (!firstWords.has(name)) firstWords.set(name, word);
    dirty.delete(name);
  }

  async function writeStore(database: object, wish: StoreContent, now: StoreContent | undefined): Promise<void> {
    const { made, of } = begin(database, [wish.name], 'readwrite');
    const over = answerOf(made, ['complete', 'abort']);
    const store = of(wish.name);
    apply(clear, store, []);
    if (wish.next !== null && wish.next > (now?.next ?? 1)) {
      const key = wish.next - 1;
      apply(put, store, wish.isInline ? [words.withKey(keyPathOf(store) as string, key)] : [0, key]);
      apply(remove, store, [key]);
    }
    for (let at = 0; at < wish.keys.length; at++)
      apply(put, store, wish.isInline ? [wish.values[at]] : [wish.values[at], wish.keys[at]]);
    await over;
  }

  const inTime = (work: Promise<void>): Promise<void> => first([unheard(work), base.pause(mostWait)]);
  const isBusy = (): boolean => opening.size > 0 || running.size > 0;
  const isOpen = (database: object): boolean => connections.get(database)?.isClosed === false;

  /** A frame may have written into any of them. */
  async function noteAll(): Promise<void> {
    const all = (await (apply(listAll, indexedDB, []) as Promise<
      readonly IDBDatabaseInfo[]
    >)) as ArrayLike<IDBDatabaseInfo>;
    for (let at = 0; at < all.length; at++) dirty.add(all[at]?.name as string);
    for (const name of contents.keys()) if (!dirty.has(name)) contents.delete(name);
  }

  async function readAll(): Promise<void> {
    if (hasHadFrames()) await noteAll();
    for (const name of dirty) await readDatabase(name);
  }

  async function writeAll(): Promise<void> {
    for (const wish of wanted) {
      const now = contents.get(wish.name);
      if (now === wish || now?.word === wish.word) continue;
      dirty.add(wish.name);
      await withDatabase(wish.name, async database => {
        for (const store of wish.stores)
          await writeStore(
            database,
            store,
            now?.stores.find(({ name }) => name === store.name),
          );
      });
    }
    wanted = [];
    await readAll();
  }

  let problem = '';
  const noteProblem = (cause: unknown): void => {
    problem = ` (${String(cause).slice(0, 80)})`;
  };

  watch();
  return {
    async read() {
      if ((dirty.size > 0 || hasHadFrames()) && !isBusy()) await inTime(readAll()).catch(noteProblem);
    },
    limit() {
      if (opening.size > 0) return 'a database that is being opened';
      if (running.size > 0) return 'a transaction of a database that is open';
      if (dirty.size > 0) return `a database that could not be read${problem}`;
      for (const { limit } of contents.values()) if (limit !== null) return limit;
      return null;
    },
    capture: () => ({
      contents: [...contents.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1)),
      connections: [...connections.keys()].filter(isOpen),
    }),
    obstacleTo(record) {
      if (isBusy() || dirty.size > 0) return 'a database that is in use';
      const names = new Set(record.contents.map(({ name }) => name));
      for (const { name, word } of contents.values())
        if (!names.has(name) && (hasHadFrames() || firstWords.get(name) !== word))
          return 'a database that was written since it was opened';
      for (const { name, version, stores } of record.contents) {
        const there = contents.get(name);
        if (there?.version !== version || there.stores.length !== stores.length) return formReason;
        for (const { name: store, form, next } of stores) {
          const now = there.stores.find(one => one.name === store);
          if (now?.form !== form) return formReason;
          if (now.next !== null && next !== null && now.next > next)
            return 'a number that a database has given out since';
        }
      }
      return null;
    },
    restore(record) {
      const staying = new Set<object>(record.connections);
      for (const [database, state] of connections)
        if (!state.isClosed && !staying.has(database)) {
          state.isClosed = true;
          apply(close, database, []);
        }
      const names = new Set(record.contents.map(({ name }) => name));
      for (const name of contents.keys()) if (!names.has(name)) contents.delete(name);
      wanted = record.contents;
    },
    async finish() {
      await inTime(writeAll()).catch(noteProblem);
    },
    entriesOf(value) {
      const connection = connections.get(value);
      if (connection !== undefined) return [nameOf(value), versionOf(value), connection.isClosed];
      const one = transactionState(value);
      if (one !== undefined) return [databaseOf(value), modeOf(value), one.isOver];
      if (value instanceof IDBObjectStore) return [storeName(value), transactionOf(value)];
      if (value instanceof IDBIndex) return [readIndex[0](value), readIndex[4](value)];
      if (!(value instanceof IDBRequest) || stateOf(value) === 'pending') return null;
      const error = errorOf(value);
      return [error, error === null ? resultOf(value) : null, sourceOf(value), within(value)];
    },
  };
}

/** Where no snapshots are taken, none is watched. */
export const noDatabases: PageDatabases = {
  read: () => RealPromise.resolve(),
  limit: () => null,
  capture: () => ({ contents: [], connections: [] }),
  obstacleTo: () => null,
  restore: () => undefined,
  finish: () => RealPromise.resolve(),
  entriesOf: () => null,
};
