import { closeSync, fdatasyncSync, fstatSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import type { SyncAnswer } from './disk-sync.ts';

/** A log that is longer is copied into the store, so that its space is used again. */
const longestLog = 4 * 2 ** 20;

const path = workerData as string;
const database = new DatabaseSync(path, { timeout: 5000 });

/** SQLite takes its locks on other files, so this one may be opened and closed beside it. */
function syncLog(): number {
  const file = openSync(`${path}-wal`, 'r+');
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
    // Passive: it never makes the writer wait.
    else if (syncLog() > longestLog) database.exec('PRAGMA wal_checkpoint(PASSIVE)');
  } catch (cause) {
    failure = String(cause);
  }
  port.postMessage({ failure } satisfies SyncAnswer);
});
