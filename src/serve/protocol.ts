import { EspalierError } from '../core/errors.ts';
import type { Task } from '../core/records.ts';
import type { Episodes } from '../episode/driven/episodes.ts';
import { HttpError, listen, type Handler, type Listening, type ListenOptions } from './http.ts';

/** A way to offer the episodes of an environment to programs outside. */
export interface Protocol {
  readonly name: string;
  /** One line for people who choose. */
  readonly about: string;
  /** Serves until the signal is raised. */
  serve(context: ProtocolContext): Promise<void>;
}

/** What a protocol serves with. */
export interface ProtocolContext {
  /** Opens episodes. Every step is recorded; what is open when the server stops ends as abandoned. */
  readonly episodes: Episodes;
  /** The task that a client means: `star-message`, `star-message/7` or `mail/star-message/7`; the usual one for null. */
  task(name: string | null): Promise<Task>;
  /** Opens a port for HTTP on the address of the server. Errors of a handler become answers, see `httpErrorOf`. */
  listen(handler: Handler): Promise<Listening>;
  /** Where to listen, for protocols that are not HTTP. */
  readonly host: string;
  readonly port: number;
  /** Raised when the server is to stop. */
  readonly signal: AbortSignal;
  /** Tells the user where the server can be reached. */
  announce(text: string): void;
}

/** Opens ports whose handlers may throw errors of episodes. */
export function createListener(options: ListenOptions): ProtocolContext['listen'] {
  return handler =>
    listen(async (request, response) => {
      try {
        await handler(request, response);
      } catch (cause) {
        const error = httpErrorOf(cause);
        if (error.status === 500 && !(cause instanceof HttpError)) options.onFault?.(cause);
        throw error;
      }
    }, options);
}

/** The answer to a call that failed. A mistake of the client's is told; what broke here is not. */
export function httpErrorOf(cause: unknown): HttpError {
  if (cause instanceof HttpError) return cause;
  if (!(cause instanceof EspalierError))
    return new HttpError(500, 'The server broke while it answered. The episode may still be open.');
  if (cause.boundary !== 'input') return new HttpError(500, 'The episode broke and has ended. Open another one.');
  const status = cause.code === 'already-ended' ? 409 : cause.code === 'unavailable' ? 503 : 400;
  return new HttpError(status, cause.message);
}
