import type { BlobReader, BlobRow } from './blobs.ts';
import type { Database } from './database.ts';

/** The records of calls are text that repeats screens: they are kept and compressed with them, and found by this. */
export const callIndex = `CREATE INDEX calls_of_blob ON events (blob) WHERE kind = 'call';`;

/** Null when no episode that has ended names it. */
export function createCallRecordReader(
  database: Database,
  readBlob: BlobReader,
): (address: string) => Uint8Array | null {
  const find = database.prepare<BlobRow>(
    `SELECT hash, pack, start, length FROM blobs WHERE hash = ? AND EXISTS
     (SELECT 1 FROM events JOIN episodes USING (attempt) WHERE events.blob = blobs.id AND events.kind = 'call')`,
  );
  return address => {
    const row = find.get(Buffer.from(address, 'hex'));
    return row === undefined ? null : Uint8Array.from(readBlob(row));
  };
}
