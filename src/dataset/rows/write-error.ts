import { EspalierError } from '../../core/errors.ts';

/** An error of the file system, told as one of the folder that is written to; any other error as it is. */
export function asWriteError(folder: string, cause: unknown): unknown {
  if (!isSystemError(cause)) return cause;
  return new EspalierError({
    boundary: 'store',
    code: cause.code === 'ENOSPC' || cause.code === 'EDQUOT' ? 'disk-full' : 'unavailable',
    message: `The rows cannot be written to ${folder}: ${cause.message}.`,
    expected: 'Expected a folder that can be written to, with room for them.',
    cause,
  });
}

function isSystemError(cause: unknown): cause is NodeJS.ErrnoException {
  return cause instanceof Error && 'syscall' in cause;
}
