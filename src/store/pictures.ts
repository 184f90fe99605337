import { addressOf } from './blobs.ts';
import type { Database } from './database.ts';
import { damaged } from './faults.ts';

/** Pictures are compressed already: they are kept as they came. `shots` says which attempts name them. */
export const pictureTables = `
  CREATE TABLE pictures (id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, body BLOB NOT NULL) STRICT;
  CREATE TABLE shots (picture INTEGER NOT NULL, attempt INTEGER NOT NULL, PRIMARY KEY (picture, attempt))
    STRICT, WITHOUT ROWID;
`;

export interface Picture {
  /** SHA-256 in hexadecimal. */
  readonly hash: string;
  readonly data: Uint8Array;
}

/** A copy of the picture, by its address: what the caller does with its own is not history. */
export function pictureOf(given: Uint8Array): Picture {
  const data = Buffer.from(given);
  return { hash: addressOf(data).toString('hex'), data };
}

/** Writes each picture once. Used inside a transaction. */
export function createPictureWriter(database: Database): (picture: Picture, attempt: number) => void {
  const find = database.prepare<{ id: number }>('SELECT id FROM pictures WHERE hash = ?');
  const insert = database.prepare('INSERT INTO pictures (hash, body) VALUES (?, ?)');
  const name = database.prepare('INSERT OR IGNORE INTO shots (picture, attempt) VALUES (?, ?)');
  return ({ hash, data }, attempt) => {
    const address = Buffer.from(hash, 'hex');
    name.run(find.get(address)?.id ?? insert.run(address, data), attempt);
  };
}

export interface PictureReader {
  /** Whether the picture is there, and named by this attempt. */
  has(hash: string, attempt: number): boolean;
  /** Null when no episode that has ended names it; one that is not what its address says is refused. */
  read(hash: string): Uint8Array | null;
}

/** How addresses are written. */
export const addressPattern = /^[0-9a-f]{64}$/;

export function createPictureReader(database: Database): PictureReader {
  const findNamed = database.prepare(
    'SELECT 1 FROM pictures JOIN shots ON picture = id WHERE hash = ? AND attempt = ?',
  );
  const findShown = database.prepare<{ body: Uint8Array }>(
    `SELECT body FROM pictures
     WHERE hash = ? AND EXISTS (SELECT 1 FROM shots JOIN episodes USING (attempt) WHERE picture = id)`,
  );
  return {
    has: (hash, attempt) => findNamed.get(Buffer.from(hash, 'hex'), attempt) !== undefined,
    read(hash) {
      const address = Buffer.from(hash, 'hex');
      const row = findShown.get(address);
      if (row === undefined) return null;
      if (!addressOf(row.body).equals(address)) throw damaged(database.path, 'a picture does not fit its hash');
      return row.body;
    },
  };
}
