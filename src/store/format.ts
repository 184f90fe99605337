import type { Database } from './database.ts';
import { corrupt, damaged, unavailable, wrongFormat } from './faults.ts';
import { callIndex } from './calls.ts';
import { certificateTable } from './certificates.ts';
import { pictureTables } from './pictures.ts';
import { upgradeStore } from './upgrade.ts';

/** The version of the tables and of the records in them. */
const currentFormat = 5;

/** Marks a database as a store of Espalier ("Espa"). */
const applicationId = 0x45737061;

const tables = `
  CREATE TABLE meta (format INTEGER NOT NULL, flushed INTEGER NOT NULL) STRICT;
  CREATE TABLE packs (id INTEGER PRIMARY KEY, body BLOB NOT NULL) STRICT;
  CREATE TABLE blobs (
    id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE,
    pack INTEGER NOT NULL, start INTEGER NOT NULL, length INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE events (
    seq INTEGER PRIMARY KEY, attempt INTEGER NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL, blob INTEGER,
    seal INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX events_of_attempt ON events (attempt);
  CREATE TABLE episodes (
    attempt INTEGER PRIMARY KEY, run TEXT NOT NULL, key TEXT NOT NULL, phase TEXT NOT NULL, round INTEGER NOT NULL,
    place INTEGER NOT NULL, outcome TEXT NOT NULL, events INTEGER NOT NULL, task INTEGER NOT NULL,
    head TEXT NOT NULL, ending TEXT NOT NULL, seal INTEGER NOT NULL,
    UNIQUE (run, key)
  ) STRICT;
  CREATE INDEX episodes_in_order ON episodes (run, phase, round, place);
  ${pictureTables}
  ${callIndex}
  ${certificateTable}
`;

/** Commits do not wait for the disk, only `flush` and checkpoints do: those come every 16 MiB, not every 4. */
const settings = 'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 4000';

/** Makes the tables of a new store, and brings those of an old one up to date. */
export function prepareStore(database: Database): void {
  // What is no store of ours is refused before anything in it is changed.
  const format = isBlank(database) ? null : formatOf(database);
  database.execute(settings);
  if (format === null) {
    database.transaction(() => {
      database.execute(tables);
      database.execute(`PRAGMA application_id = ${applicationId}; INSERT INTO meta VALUES (${currentFormat}, 0)`);
    });
  } else if (format < currentFormat) upgradeStore(database, { from: format, to: currentFormat });
}

/** Refuses what cannot be read as it is. */
export function checkStore(database: Database): void {
  if (isBlank(database)) throw unavailable(database.path, 'is empty', 'Expected a store that a run has written to.');
  const format = formatOf(database);
  if (format < currentFormat) {
    throw wrongFormat(
      database.path,
      `format ${format}`,
      `Expected format ${currentFormat}: open the store once for writing, which brings it up to date.`,
    );
  }
}

function isBlank(database: Database): boolean {
  return database.prepare<{ name: string }>('SELECT name FROM sqlite_schema').get() === undefined;
}

function formatOf(database: Database): number {
  const mark = database.prepare<{ application_id: number }>('PRAGMA application_id').get();
  if (mark?.application_id !== applicationId)
    throw corrupt(database.path, 'is a database, but not a store of Espalier');
  const format = database.prepare<{ format: number }>('SELECT format FROM meta').get()?.format ?? 0;
  if (format < 1) throw damaged(database.path, 'it does not say its format');
  if (format > currentFormat) {
    throw wrongFormat(
      database.path,
      `format ${format}`,
      `Expected at most ${currentFormat}: a newer version of Espalier wrote it; use that one.`,
    );
  }
  return format;
}
