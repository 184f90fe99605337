import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { backup, DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { Store, StoreState } from './store.ts';

interface SqliteState extends StoreState {
  /** The copy; null where there was no file yet. */
  readonly copy: string | null;
}

const missing: SqliteState = { text: 'no file', copy: null };
/** All pages in one go: nobody writes meanwhile. */
const rate = 1_000_000;
const busyMilliseconds = 2000;

/** An SQLite file. Copied and overwritten by SQLite itself, so that the connections of the server stay good. */
export function createSqliteStore(file: string, scratch: string): Store {
  /** Tells whether somebody else wrote: kept open, as the number is one of a connection. */
  let watch: DatabaseSync | null = null;
  let last: { readonly version: unknown; readonly state: SqliteState } | null = null;
  let copies = 0;

  const opened = (): DatabaseSync => (watch ??= new DatabaseSync(file, { timeout: busyMilliseconds }));
  const versionOf = (database: DatabaseSync): unknown =>
    Object.values(database.prepare('PRAGMA data_version').get() ?? {})[0];
  return {
    values: {},
    async capture() {
      if (!existsSync(file)) return missing;
      const database = opened();
      const version = versionOf(database);
      if (last !== null && last.version === version) return last.state;
      const copy = join(scratch, `sqlite-${copies++}`);
      await backup(database, copy, { rate });
      const state = { text: contentHash(await readFile(copy)), copy };
      last = { version, state };
      return state;
    },
    async restore(state, now) {
      const { copy, text } = state as SqliteState;
      if (now.text === text) return;
      if (copy === null) throw new Error(`the database ${file} did not exist then`);
      const source = new DatabaseSync(copy, { readOnly: true });
      try {
        await backup(source, file, { rate });
      } finally {
        source.close();
      }
    },
    sql: async (query, ...values) =>
      opened()
        .prepare(query)
        .all(...(values as SQLInputValue[])),
    close() {
      watch?.close();
      watch = null;
    },
  };
}

/** Places in the first page that count changes, and hold no content: of the file, of its schema, and of the writer. */
const counters: readonly [number, number][] = [
  [24, 28],
  [40, 44],
  [92, 100],
];

function contentHash(content: Buffer): string {
  for (const [from, to] of counters) content.fill(0, from, to);
  return hash('sha256', content);
}
