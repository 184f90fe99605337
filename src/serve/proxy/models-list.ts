import type { ServerResponse } from 'node:http';
import { isJson, isJsonObject, type JsonObject } from '../../core/json.ts';
import type { Dialect } from '../../models/dialects/dialect.ts';
import type { Redactor } from '../../models/secrets/redactor.ts';
import { HttpError, sendJson } from '../http.ts';
import { parseJson, readWhole } from './exchange.ts';
import type { Upstream, UpstreamLine } from './upstream.ts';

export interface ModelsRequest {
  readonly dialect: Dialect['name'];
  readonly upstream: Upstream;
  readonly line: UpstreamLine;
  readonly key: string | null;
  readonly redactor: Redactor;
  readonly signal: AbortSignal;
  readonly response: ServerResponse;
}

/** Lists the models that can be asked for, as the family of the harness lists them. */
export async function sendModels(request: ModelsRequest): Promise<void> {
  const { dialect, upstream, response } = request;
  const ids = upstream.model === null ? await askForModels(request) : [upstream.model];
  sendJson(response, 200, dialect === 'anthropic' ? anthropicList(ids) : openaiList(ids));
}

async function askForModels({ upstream, line, key, redactor, signal, response }: ModelsRequest): Promise<string[]> {
  const { dialect } = upstream;
  const headers = { ...dialect.headers(key), 'accept-encoding': 'identity' };
  const answer = await line.ask({ method: 'GET', path: '/models', headers, body: null, signal });
  const whole = await readWhole(answer, response, redactor);
  const { statusCode } = answer.message;
  if (whole instanceof Error) throw new HttpError(whole.status, whole.message);
  const listed = whole === 'cut' ? null : parseJson(whole);
  const data = isJson(listed) && isJsonObject(listed) ? listed['data'] : null;
  if (statusCode !== 200 || !Array.isArray(data))
    throw new HttpError(502, `The model server lists no models: it answered with status ${statusCode}.`);
  return data.flatMap(entry => (isJsonObject(entry) && typeof entry['id'] === 'string' ? [entry['id']] : []));
}

function openaiList(ids: readonly string[]): JsonObject {
  return { object: 'list', data: ids.map(id => ({ id, object: 'model', created: 0, owned_by: 'upstream' })) };
}

function anthropicList(ids: readonly string[]): JsonObject {
  const data = ids.map(id => ({ type: 'model', id, display_name: id, created_at: '1970-01-01T00:00:00Z' }));
  return { data, has_more: false, first_id: ids[0] ?? null, last_id: ids.at(-1) ?? null };
}
