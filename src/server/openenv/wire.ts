import { z } from 'zod';
import { DivergenceError, EspalierError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import { isJson, isJsonObject } from '../../core/json.ts';
import { SessionError, type SessionErrorKind } from '../sessions/session-error.ts';

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

export interface WireRequest {
  readonly type: string;
  readonly data: JsonObject;
  readonly session: string | null;
  readonly id: string | number | null;
}

export interface WireAnswer {
  readonly type: string;
  readonly data: object;
}

const envelope = z.object({
  type: z.string().default(''),
  data: z.custom<JsonObject>(value => isJsonObject(value as JsonObject), 'an object').default({}),
  session: z.string().nullish(),
  id: z.union([z.string().max(255), z.number()]).nullish(),
});

/** Reads a text frame. Throws a WireError for what is no request. */
export function readRequest(text: string): WireRequest {
  const value = parse(text);
  if (!isJson(value) || !isJsonObject(value))
    throw new WireError('INVALID_JSON', 'The message is not a JSON object. Send one such as {"type": "reset"}.');
  const { type = '', data = {}, session = null, id = null } = checked(envelope, value);
  return { type, data, session: session ?? null, id: id ?? null };
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

/** The text of an answer; `id` and `session` are repeated if the request had them. */
export function writeAnswer({ type, data }: WireAnswer, request: Pick<WireRequest, 'id' | 'session'> | null): string {
  const { id = null, session = null } = request ?? {};
  return JSON.stringify({ type, data, ...(session === null ? {} : { session }), ...(id === null ? {} : { id }) });
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
  return new WireError('EXECUTION_ERROR', 'The world broke, and the episode has ended. Send reset for another one.');
}

function codeOf({ code }: EspalierError): WireErrorCode {
  if (code === 'already-ended') return 'EXECUTION_ERROR';
  if (code === 'unavailable') return 'CAPACITY_REACHED';
  return code === 'unsupported' ? 'UNSUPPORTED' : 'VALIDATION_ERROR';
}
