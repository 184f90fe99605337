import { EspalierError, type ErrorCode } from '../core/errors.ts';

export function corrupt(path: string, what: string, cause?: unknown): EspalierError {
  return fault('corrupt-record', {
    message: `${path} ${what}.`,
    expected: 'Expected a store as it was written: put back a copy, or start a new one.',
    cause,
  });
}

export function damaged(path: string, what: string, cause?: unknown): EspalierError {
  return corrupt(path, `is damaged (${what})`, cause);
}

export function unavailable(path: string, what: string, expected: string): EspalierError {
  return fault('unavailable', { message: `${path} ${what}.`, expected });
}

/** Asked for by number, and not there: whoever asks is told what is. */
export function notFound(what: string, nearest: string): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'not-found',
    message: `There is no ${what}.`,
    expected: nearest,
  });
}

export function locked(path: string): EspalierError {
  return fault('locked', {
    message: `${path} is being written by another run.`,
    expected: 'Wait until that run has ended, or open the store for reading only.',
  });
}

export function closed(path: string): EspalierError {
  return fault('closed', { message: `${path} is closed.`, expected: 'Open the store again.' });
}

export function notWritable(path: string): EspalierError {
  return fault('unsupported', {
    message: `${path} was opened for reading only.`,
    expected: 'Open the store without `readOnly` to write to it.',
  });
}

export function alreadyEnded(run: string, key: string): EspalierError {
  return fault('already-ended', {
    message: `Episode ${key} of run ${run} has ended already.`,
    expected: 'An episode ends once: leave out what `done` names.',
  });
}

export function alreadyCertified(key: string, leaf: number): EspalierError {
  return fault('already-ended', {
    message: `Leaf ${leaf} of episode ${key} has its certificate already.`,
    expected: 'A leaf is certified once: leave out those that agreed or diverged.',
  });
}

export function notEnded(run: string, key: string): EspalierError {
  return fault('corrupt-record', {
    message: `A certificate is for episode ${key} of run ${run}, which has not ended.`,
    expected: 'Write the end of the episode first.',
  });
}

export function notAttached(hash: string): EspalierError {
  return fault('corrupt-record', {
    message: `An event names ${hash}, which its log does not have.`,
    expected: 'Attach it to the log of the episode first, and name the address that this gives.',
  });
}

export function wrongFormat(path: string, what: string, expected: string): EspalierError {
  return fault('unsupported', { message: `${path} has ${what}.`, expected });
}

interface Words {
  readonly message: string;
  readonly expected: string;
  readonly cause?: unknown;
}

function fault(code: ErrorCode, words: Words): EspalierError {
  return new EspalierError({ boundary: 'store', code, ...words });
}

// Primary result codes of SQLite (https://sqlite.org/rescode.html).
const codes = { error: 1, busy: 5, readOnly: 8, io: 10, corrupt: 11, full: 13, cannotOpen: 14, notDatabase: 26 };
const shortRead = 522;

/** What SQLite or Node said, as an error of ours; anything else is a defect and stays what it is. */
export function storeFault(path: string, cause: unknown): unknown {
  if (!(cause instanceof Error) || !('code' in cause)) return cause;
  if (cause.code === 'ERR_INVALID_STATE') return closed(path);
  // A number that no record of ours has.
  if (cause.code === 'ERR_OUT_OF_RANGE') return damaged(path, cause.message, cause);
  if (cause.code !== 'ERR_SQLITE_ERROR' || !('errcode' in cause)) return cause;
  const extended = Number(cause.errcode);
  switch (extended === shortRead ? codes.corrupt : extended & 0xff) {
    // The statements are fixed: one that does not fit met a damaged schema.
    case codes.error:
    case codes.corrupt:
      return damaged(path, cause.message, cause);
    case codes.notDatabase:
      return corrupt(path, 'is not a database', cause);
    case codes.full:
      return fault('disk-full', {
        message: `${path} cannot grow: the disk is full.`,
        expected: 'Make space and go on: what was written before is safe.',
        cause,
      });
    case codes.busy:
      return locked(path);
    case codes.readOnly:
    case codes.cannotOpen:
      return unavailable(
        path,
        `cannot be used (${cause.message})`,
        'Give this user access to the file and its folder.',
      );
    case codes.io:
      return unavailable(path, `cannot be read or written (${cause.message})`, 'Look after the disk, then try again.');
    default:
      return cause;
  }
}
