import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import type { EpisodeSource, ResumableJournal } from '../core/episode/journal.ts';
import type { EspalierError } from '../core/errors.ts';
import { openDatabase, type Database } from './database.ts';
import { notWritable, unavailable } from './faults.ts';
import { inspectFile } from './file.ts';
import { checkStore, prepareStore } from './format.ts';
import { createJournalWriter } from './journal.ts';
import { lockStore } from './lock.ts';
import { createJournalReader } from './reader.ts';
import { startDiskSync, type DiskSync } from './disk-sync.ts';
import { checkWal, walBytes } from './wal.ts';

/** The journal of runs: a file of SQLite with one writer and any number of readers beside it, or a name in a Postgres database. */
export interface Store extends ResumableJournal, EpisodeSource {
  /**
   * From now on a thread syncs and checkpoints: commits never wait for the disk. It must be closed before the store. The
   * files beside the store are synced after it, as far as they are there.
   */
  syncInThread(beside?: readonly string[]): DiskSync;
  /** Writes what waits. */
  close(): void;
}

export interface StoreOptions {
  readonly path: string;
  /** Opens a store beside whoever writes it; it is neither made nor brought up to date. */
  readonly readOnly?: boolean;
  /** Refuses to make a store where none is. */
  readonly mustExist?: boolean;
}

/** Milliseconds to wait for another connection that recovers or checkpoints. */
const patience = 5000;
/** Pages of the log at which a commit checkpoints by itself, should the thread that does it fall behind: 256 MiB. */
const mostLogPages = 65_536;

export function openStore({ path, readOnly = false, mustExist = false }: StoreOptions): Store {
  const file = inspectFile(path);
  if (mustExist && !file.exists) throw missing(path);
  return readOnly ? openForReading(file.path, file.exists) : openForWriting(file.path);
}

function openForReading(path: string, exists: boolean): Store {
  const database = openChecked(path, exists);
  return closingOnFault(database, () => {
    const refuse = (): never => {
      throw notWritable(path);
    };
    return {
      ...createJournalReader(database),
      begin: refuse,
      resume: refuse,
      certify: refuse,
      flush: refuse,
      save: refuse,
      syncInThread: refuse,
      close: () => database.close(),
    };
  });
}

/** The database of a store, for reading beside whoever writes it. */
export function openStoreDatabase(path: string): Database {
  const file = inspectFile(path);
  return openChecked(file.path, file.exists);
}

function openChecked(path: string, exists: boolean): Database {
  if (!exists) throw missing(path);
  checkWal(path);
  const database = openReadable(path);
  return closingOnFault(database, () => {
    checkStore(database);
    return database;
  });
}

function missing(path: string): EspalierError {
  return unavailable(path, 'is not there', 'Expected a store that a run has written.');
}

/**
 * A reader makes files beside a store, too. Where nothing can be written, nobody writes the store either: it is read as it
 * lies there, unless its log has writes that only another copy of it could take in.
 */
function openReadable(path: string): Database {
  if (isWritable(dirname(path))) return openDatabase({ path, readOnly: true, patience });
  const waiting = walBytes(path);
  if (waiting > 0)
    throw unavailable(
      path,
      `cannot be read here: ${waiting} bytes of its last writes are in ${path}-wal, and its folder is read-only`,
      'Copy the folder to a place that can be written to, and open the copy.',
    );
  return openDatabase({ path, readOnly: true, isImmutable: true, patience });
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function openForWriting(path: string): Store {
  const lock = lockStore(path);
  try {
    checkWal(path);
    const database = openDatabase({ path, readOnly: false, patience });
    return closingOnFault(database, () => {
      prepareStore(database);
      const writer = createJournalWriter(database);
      const close = (): void => {
        try {
          writer.flush();
        } finally {
          database.close();
          lock.release();
        }
      };
      const syncInThread: Store['syncInThread'] = (beside = []) => {
        database.execute(`PRAGMA wal_autocheckpoint = ${mostLogPages}`);
        return startDiskSync({ path, beside });
      };
      return { ...createJournalReader(database), ...writer, syncInThread, close };
    });
  } catch (cause) {
    lock.release();
    throw cause;
  }
}

function closingOnFault<T>(database: Database, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    database.close();
    throw cause;
  }
}
