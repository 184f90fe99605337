import { z } from 'zod';
import { EspalierError } from '../../core/errors.ts';
import { HttpError } from '../http.ts';
import { httpErrorOf } from '../protocol.ts';
import { SessionError, type SessionErrorKind } from './session-error.ts';

interface ErrorAnswer {
  readonly status: number;
  readonly message: string;
  /** What is wrong with each member, as FastAPI says it. */
  readonly detail?: object;
}

const statuses: Readonly<Record<SessionErrorKind, number>> = {
  'no-session': 404,
  capacity: 503,
  factory: 500,
  forbidden: 403,
  invalid: 422,
  unsaved: 503,
};

/** The answer to a request that failed, with the statuses of FastAPI: 422 for what the client said wrong. */
export function errorAnswerOf(cause: unknown, onFault: (cause: unknown) => void): ErrorAnswer {
  if (cause instanceof SessionError) return { status: statuses[cause.kind], message: cause.message };
  if (cause instanceof z.ZodError) {
    const detail = cause.issues.slice(0, 10).map(({ path, message }) => ({ loc: ['body', ...path], msg: message }));
    return { status: 422, message: 'The body is not valid.', detail };
  }
  if (!(cause instanceof HttpError) && !(cause instanceof EspalierError && cause.boundary === 'input')) onFault(cause);
  const { status, message } = httpErrorOf(cause);
  return { status: status === 400 && cause instanceof EspalierError ? 422 : status, message };
}
