import { causeText, EspalierError, type ErrorDetails } from '../../core/errors.ts';

/** An error that another thread is told of. */
export type WireError = Omit<ErrorDetails, 'cause'>;

export function wireError(cause: unknown): WireError {
  if (cause instanceof EspalierError) {
    const { boundary, code, message, expected } = cause;
    return { boundary, code, message: message.replace(` ${expected}`, ''), expected };
  }
  return { boundary: 'input', code: 'threw', message: causeText(cause), expected: 'Expected no such error.' };
}

export function errorFrom({ boundary, code, message, expected }: WireError): EspalierError {
  return new EspalierError({ boundary, code, message, expected });
}
