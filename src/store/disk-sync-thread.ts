import { closeSync, existsSync, fdatasyncSync, fstatSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import type { SyncAnswer, SyncedFiles } from './disk-sync.ts';

/** A log that is longer is copied into the store, so that its space is used again. */
const longestLog = 4 * 2 ** 20;

const { path, beside } = workerData as SyncedFiles;
const database = new DatabaseSync(path, { timeout: 5000 });

/** Gives the bytes of the file. SQLite takes its locks on other files than its log, so the log may be opened and closed here. */
function syncFile(synced: string): number {
  const file = openSync(synced, 'r+');
  try {
    fdatasyncSync(file);
    return fstatSync(file).size;
  } finally {
    closeSync(file);
  }
}

const port = parentPort as MessagePort;
port.on('message', (request: 'sync' | 'close') => {
  let failure: string | null = null;
  try {
    if (request === 'close') database.close();
    else {
      const length = syncFile(`${path}-wal`);
      beside.filter(file => existsSync(file)).forEach(syncFile);
      // Passive: it never makes the writer wait.
      if (length > longestLog) database.exec('PRAGMA wal_checkpoint(PASSIVE)');
    }
  } catch (cause) {
    failure = String(cause);
  }
  port.postMessage({ failure } satisfies SyncAnswer);
});
