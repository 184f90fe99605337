import { isJsonObject, type JsonObject } from '../../../core/json.ts';
import type { Refusal, WireError } from '../dialect.ts';
import { classifyError } from '../wire.ts';

const wire: Readonly<Record<Refusal, readonly [number, string]>> = {
  'bad-key': [401, 'authentication_error'],
  'unknown-model': [404, 'not_found_error'],
  'context-overflow': [400, 'invalid_request_error'],
  'no-images': [400, 'invalid_request_error'],
  'bad-request': [400, 'invalid_request_error'],
  'rate-limited': [429, 'rate_limit_error'],
  'no-credit': [402, 'billing_error'],
  overloaded: [529, 'overloaded_error'],
  broken: [500, 'api_error'],
};

export function writeError({ kind, message }: WireError): { status: number; body: JsonObject } {
  const [status, type] = wire[kind];
  return { status, body: { type: 'error', error: { type, message } } };
}

/** An error in a stream has no status: its type says which it would have been. */
export function readStreamError(body: JsonObject): WireError {
  const { error } = body;
  const type = isJsonObject(error) ? error['type'] : undefined;
  const [status] = Object.values(wire).find(([, name]) => name === type) ?? [500];
  return classifyError(status, body);
}
