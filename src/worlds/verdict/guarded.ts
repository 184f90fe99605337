import { causeText, EspalierError } from '../../core/errors.ts';

/** Runs a predicate that the author of a template wrote. One that throws, or answers later, is an error that names it. */
export function guarded<T>(what: string, test: () => T): T {
  let result: T;
  try {
    result = test();
  } catch (cause) {
    throw checkFailed(`${what} threw: ${causeText(cause)}.`, cause);
  }
  if (!isThenable(result)) return result;
  // Nobody waits for it: what it would have thrown must not end the process.
  void Promise.resolve(result).catch(() => undefined);
  throw checkFailed(`${what} returned a promise.`);
}

function isThenable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

function checkFailed(message: string, cause?: unknown): EspalierError {
  return new EspalierError({
    boundary: 'verifier',
    code: 'check-failed',
    message,
    expected: 'Expected true or false at once for every state the schema allows; a missing record means false.',
    ...(cause === undefined ? {} : { cause }),
  });
}
