import { accessSync, closeSync, constants, openSync, readdirSync, readSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { EspalierError } from '../core/errors.ts';
import { corrupt, unavailable } from './faults.ts';

const magic = 'SQLite format 3\0';

interface StoreFile {
  /** Where the file really is: two names of one store must meet at one lock. */
  readonly path: string;
  readonly exists: boolean;
}

/** Looks at what lies at a path before anything is opened or made there. */
export function inspectFile(path: string): StoreFile {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return { path: join(realpathSync(folderOf(path)), basename(path)), exists: false };
    if (stats.isDirectory())
      throw unavailable(path, 'is a folder', 'Expected the path of a file, such as episodes.db in that folder.');
    checkStart(path);
    return { path: realpathSync(path), exists: true };
  } catch (cause) {
    throw fileFault(path, cause);
  }
}

function folderOf(path: string): string {
  const folder = dirname(path);
  if (!statSync(folder).isDirectory()) throw noFolder(path);
  return folder;
}

function checkStart(path: string): void {
  // A connection has read it already.
  if (isOpenHere(path)) return accessSync(path, constants.R_OK);
  const start = readStart(path);
  if (start !== '' && start !== magic) throw corrupt(path, 'is not a database');
}

/** The descriptors of this process, those of its threads included. Windows has none: a lock there belongs to its handle. */
const descriptors = '/dev/fd';

/**
 * Whether this process has the file open. On POSIX, closing any descriptor of a file drops all locks of the process on it, also
 * those of SQLite: a store that is open here must never be opened and closed by hand.
 */
export function isOpenHere(path: string): boolean {
  const wanted = statSync(path, { throwIfNoEntry: false });
  if (wanted === undefined) return false;
  return openDescriptors().some(descriptor => {
    try {
      const { dev, ino } = statSync(join(descriptors, descriptor));
      return dev === wanted.dev && ino === wanted.ino;
    } catch {
      // Closed since it was listed.
      return false;
    }
  });
}

function openDescriptors(): readonly string[] {
  try {
    return readdirSync(descriptors);
  } catch {
    return [];
  }
}

function readStart(path: string): string {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(magic.length);
    return bytes.toString('latin1', 0, readSync(file, bytes));
  } finally {
    closeSync(file);
  }
}

function fileFault(path: string, cause: unknown): unknown {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'ENOENT' || code === 'ENOTDIR') return noFolder(path);
  if (code === 'EACCES' || code === 'EPERM')
    return unavailable(path, 'may not be read', 'Give this user access to the file and its folder.');
  return cause;
}

function noFolder(path: string): EspalierError {
  return unavailable(path, `cannot be opened: there is no folder ${dirname(path)}`, 'Make the folder first.');
}
