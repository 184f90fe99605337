import { z } from 'zod';
import { DivergenceError, EspalierError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import { deepestJson, isJson, isJsonObject } from '../../core/json.ts';
import { SessionError, type SessionErrorKind } from '../sessions/session-error.ts';
import { excessOf, type Excess } from './frame-bounds.ts';

/** OpenEnv has the first seven; the others occur for verbs that it does not have. */
export type WireErrorCode =
  | 'INVALID_JSON'
  | 'UNKNOWN_TYPE'
  | 'VALIDATION_ERROR'
  | 'EXECUTION_ERROR'
  | 'CAPACITY_REACHED'
  | 'FACTORY_ERROR'
  | 'SESSION_ERROR'
  | 'FORBIDDEN'
  | 'UNSUPPORTED'
  | 'DIVERGED';

/** An error as the client is told of it. */
export class WireError extends Error {
  readonly code: WireErrorCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: WireErrorCode, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.name = 'WireError';
    this.code = code;
    this.details = details;
  }
}

/** A frame that is no request. The answer repeats its id if it has one. */
export class MalformedRequest extends Error {
  readonly error: WireError;
  readonly id: WireRequest['id'];
  /** Whether it cost as much to refuse as many others. */
  readonly isLarge: boolean;

  constructor(error: WireError, id: WireRequest['id'] = null, isLarge = false) {
    super(error.message);
    this.name = 'MalformedRequest';
    this.error = error;
    this.id = id;
    this.isLarge = isLarge;
  }
}

export interface WireRequest {
  readonly type: string;
  readonly data: JsonObject;
  readonly session: string | null;
  readonly id: string | number | null;
  /** The same for a request and its retries; null where a retry cannot be known. */
  readonly request: string | null;
}

export interface WireAnswer {
  readonly type: string;
  readonly data: object;
}

/** Names and ids in requests are no longer than this. */
export const mostCharacters = 255;

const envelope = z.object({
  type: z.string().default(''),
  data: z.custom<JsonObject>(value => isJsonObject(value as JsonObject), 'an object').default({}),
  session: z.string().max(mostCharacters).nullish(),
  id: z.union([z.string().max(mostCharacters), z.number()]).nullish(),
  request: z.string().min(1).max(mostCharacters).nullish(),
});

/** Reads a text frame. Throws a MalformedRequest for what is no request. */
export function readRequest(bytes: Buffer): WireRequest {
  const excess = excessOf(bytes);
  if (excess !== null)
    throw new MalformedRequest(new WireError('VALIDATION_ERROR', excess.message), idOf(excess), true);
  let value: unknown = null;
  try {
    value = parse(bytes.toString('utf8'));
    const { type = '', data = {}, session = null, id = null, request = null } = checked(envelope, requireObject(value));
    return { type, data, session: session ?? null, id: id ?? null, request: request ?? null };
  } catch (cause) {
    if (!(cause instanceof WireError)) throw cause;
    throw new MalformedRequest(cause, idIn(value));
  }
}

function requireObject(value: unknown): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new WireError('INVALID_JSON', 'The message is not a JSON object. Send one such as {"type": "reset"}.');
  if (!isJson(value))
    throw new WireError(
      'INVALID_JSON',
      `The message is nested too deeply, or has a number that is too large. Send at most ${deepestJson} levels.`,
    );
  return value as JsonObject;
}

/** The id of a frame, also of one that is wrong elsewhere: the client must learn which request was refused. */
function idIn(value: unknown): WireRequest['id'] {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, 'id')) return null;
  const { id } = value as { readonly id: unknown };
  if (typeof id === 'number') return Number.isFinite(id) ? id : null;
  return typeof id === 'string' && id.length <= mostCharacters ? id : null;
}

/** The id of a frame that is not parsed. */
function idOf({ id }: Excess): WireRequest['id'] {
  try {
    return idIn({ id: JSON.parse(id ?? 'null') as unknown });
  } catch {
    return null;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new WireError('INVALID_JSON', `The message is not JSON: ${(cause as Error).message}. Send a JSON object.`);
  }
}

/** The data of a request, as its schema has it. */
export function checked<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.slice(0, 10).map(({ path, message }) => ({ loc: path, msg: message }));
  const first = errors[0];
  const where = first === undefined || first.loc.length === 0 ? '' : ` at "${first.loc.join('.')}"`;
  throw new WireError('VALIDATION_ERROR', `The message is not valid${where}: ${first?.msg ?? 'wrong shape'}.`, {
    errors,
  });
}

/** The text of an answer; `id`, `session` and `request` are repeated if the request had them. */
export function writeAnswer(
  { type, data }: WireAnswer,
  asked: Pick<WireRequest, 'id' | 'session'> & Partial<Pick<WireRequest, 'request'>>,
): string {
  const { id, session, request = null } = asked;
  return JSON.stringify({
    type,
    data,
    ...(session !== null && { session }),
    ...(id !== null && { id }),
    ...(request !== null && { request }),
  });
}

export function errorAnswer({ code, message, details }: WireError): WireAnswer {
  return { type: 'error', data: { message, code, ...details } };
}

const codes: Readonly<Record<SessionErrorKind, WireErrorCode>> = {
  'no-session': 'SESSION_ERROR',
  capacity: 'CAPACITY_REACHED',
  factory: 'FACTORY_ERROR',
  forbidden: 'FORBIDDEN',
  invalid: 'VALIDATION_ERROR',
  unsaved: 'EXECUTION_ERROR',
};

/** What a client is told of an error. Its own mistakes are told; what broke here is not, and goes to `onFault`. */
export function wireErrorOf(cause: unknown, onFault: (cause: unknown) => void): WireError {
  if (cause instanceof WireError) return cause;
  if (cause instanceof SessionError) return new WireError(codes[cause.kind], cause.message, cause.details);
  if (cause instanceof DivergenceError) {
    onFault(cause);
    const { step, recorded, reached } = cause;
    return new WireError('DIVERGED', cause.message, { step, recorded, reached });
  }
  if (cause instanceof EspalierError && cause.boundary === 'input') return new WireError(codeOf(cause), cause.message);
  onFault(cause);
  if (cause instanceof EspalierError && cause.boundary === 'store')
    return new WireError(
      'EXECUTION_ERROR',
      'The server cannot write its journal, so this episode cannot go on. Make room on the disk of the server, then send reset for another one.',
    );
  return new WireError('EXECUTION_ERROR', 'The world broke, and the episode has ended. Send reset for another one.');
}

function codeOf({ code }: EspalierError): WireErrorCode {
  if (code === 'already-ended') return 'EXECUTION_ERROR';
  if (code === 'unavailable') return 'CAPACITY_REACHED';
  return code === 'unsupported' ? 'UNSUPPORTED' : 'VALIDATION_ERROR';
}
