import { isJson, isJsonObject, type JsonObject } from '../../../core/json.ts';
import type { Refusal, WireError } from '../dialect.ts';
import { classifyError } from '../wire.ts';

/** Status, type and code of each; the words of OpenAI, which its clients know. */
const wire: Readonly<Record<Refusal, readonly [number, string, string | null]>> = {
  'bad-key': [401, 'authentication_error', 'invalid_api_key'],
  'unknown-model': [404, 'invalid_request_error', 'model_not_found'],
  'context-overflow': [400, 'invalid_request_error', 'context_length_exceeded'],
  'no-images': [400, 'invalid_request_error', 'images_not_supported'],
  'bad-request': [400, 'invalid_request_error', null],
  'rate-limited': [429, 'rate_limit_error', 'rate_limit_exceeded'],
  'no-credit': [429, 'insufficient_quota', 'insufficient_quota'],
  overloaded: [503, 'server_error', 'overloaded'],
  broken: [500, 'server_error', null],
};

export function writeError({ kind, message }: WireError): { status: number; body: JsonObject } {
  const [status, type, code] = wire[kind];
  return { status, body: { error: { message, type, param: null, code } } };
}

export function codeOf({ kind }: WireError): string {
  return wire[kind][2] ?? wire[kind][1];
}

/** An error in a stream has no status: vLLM says it as the code, others say a code that goes with one. */
export function readStreamError(body: unknown): WireError {
  const whole = isJson(body) && isJsonObject(body) ? body : {};
  const error = isJsonObject(whole['error']) ? whole['error'] : whole;
  const { code = null, type = null } = error;
  const [status] = Object.values(wire).find(known => known[2] === (code ?? type)) ?? [];
  return classifyError(typeof code === 'number' ? code : (status ?? 500), body);
}
