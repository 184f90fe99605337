import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Timers } from '../../../core/clock.ts';
import type { StoreDeclaration } from './declaration.ts';
import { createFolderStore } from './folder.ts';
import { createHttpStore, type Http } from './http-pair.ts';
import { createPostgresDatabases } from './postgres.ts';
import { openRedisStore } from './redis.ts';
import { createSqliteStore } from './sqlite.ts';
import type { Store } from './store.ts';

/** What a store of one session is opened with. */
export interface StoreSession {
  /** Where it may put copies: a folder that ends with the session. */
  readonly scratch: string;
  readonly http: Http;
  /** Puts values in the place of `{folder}` and the like. */
  fill(text: string): string;
}

/** One declared store of an app: what all sessions start with, and the store of each. */
export interface StoreSource {
  /** What `reset` works on: values for its command and variables. What it leaves there, sessions start with. */
  base(): Promise<Readonly<Record<string, string>>>;
  open(session: StoreSession): Promise<Store>;
  close(): Promise<void>;
}

export interface SourceOptions {
  readonly cwd: string;
  readonly timers: Timers;
}

export function createStoreSource(store: StoreDeclaration, options: SourceOptions): StoreSource {
  const { cwd } = options;
  switch (store.kind) {
    case 'sqlite':
      return inFolder(({ fill, scratch }) => createSqliteStore(resolve(cwd, fill(store.file)), scratch));
    case 'folder':
      return inFolder(({ fill, scratch }) => createFolderStore(resolve(cwd, fill(store.path)), scratch));
    case 'http':
      return inFolder(({ http }) => createHttpStore(store, http));
    case 'postgres': {
      const databases = createPostgresDatabases(store.url);
      return { ...databases, base: async () => ({ postgres: await databases.template() }) };
    }
    case 'redis':
      return redisSource(options);
  }
}

/** What lies in the folder of the session is copied with it. */
function inFolder(open: (session: StoreSession) => Store): StoreSource {
  return { base: async () => ({}), open: async session => open(session), close: () => Promise.resolve() };
}

function redisSource({ timers }: SourceOptions): StoreSource {
  let first: Promise<{ readonly store: Store; readonly scratch: string }> | null = null;
  const open = async (): Promise<{ readonly store: Store; readonly scratch: string }> => {
    const scratch = await mkdtemp(join(tmpdir(), 'espalier-redis-'));
    return { store: await openRedisStore(timers, scratch), scratch };
  };
  return {
    base: async () => (await (first ??= open())).store.values,
    async open({ scratch }) {
      const store = await openRedisStore(timers, scratch);
      if (first !== null) await store.restore(await (await first).store.capture(), await store.capture());
      return store;
    },
    async close() {
      const opened = await first?.catch(() => null);
      if (opened === null || opened === undefined) return;
      await opened.store.close();
      await rm(opened.scratch, { recursive: true, force: true });
    },
  };
}
