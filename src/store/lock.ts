import { openDatabase } from './database.ts';
import { locked } from './faults.ts';
import { EspalierError } from '../core/errors.ts';

/**
 * Held by the one writer of a store. The lock is that of SQLite on an empty file beside the store, so the operating
 * system lets go of it however the writer dies; the file itself stays, as removing it would let two writers in.
 */
export function lockStore(path: string): { release(): void } {
  const lock = openDatabase({ path: `${path}-lock`, readOnly: false, patience: 0 });
  try {
    lock.execute('BEGIN EXCLUSIVE');
  } catch (cause) {
    lock.close();
    throw cause instanceof EspalierError && cause.code === 'locked' ? locked(path) : cause;
  }
  return { release: () => lock.close() };
}
