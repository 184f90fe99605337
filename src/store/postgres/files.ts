import { readAddress } from './address.ts';
import { connectBlocking } from './blocking.ts';
import { openNumber } from './format.ts';

/** Small texts that go with a store, by name: the config of its run. */
export type StoreFiles = ReadonlyMap<string, string>;

export function readStoreFiles(address: string): StoreFiles {
  return withStore(address, true, (query, store) => {
    const rows = query<{ name: string; body: string }>('SELECT name, body FROM espalier.files WHERE store = $1', [
      store,
    ]);
    return new Map(rows.map(({ name, body }) => [name, body]));
  });
}

export function writeStoreFiles(address: string, files: StoreFiles): void {
  withStore(address, false, (query, store) =>
    query(
      `INSERT INTO espalier.files (store, name, body)
       SELECT $1::int, * FROM unnest($2::text[], $3::text[]) ON CONFLICT (store, name) DO UPDATE SET body = excluded.body`,
      [store, [...files.keys()], [...files.values()]],
    ),
  );
}

/** The number of a store, made where there is none. */
export function prepareStore(address: string): number {
  return withStore(address, false, (_query, store) => store);
}

type Query = ReturnType<typeof connectBlocking>['query'];

function withStore<T>(address: string, mustExist: boolean, work: (query: Query, store: number) => T): T {
  const { database, store } = readAddress(address);
  const connection = connectBlocking(database);
  try {
    return work(connection.query, openNumber(connection, store, mustExist));
  } finally {
    connection.close();
  }
}
