import type { IncomingMessage, ServerResponse } from 'node:http';
import { HttpError, listen, pathOf, readJson, sendJson, type Listening, type ListenOptions } from '../http.ts';
import { roleOf, type Keys } from '../sessions/keys.ts';
import { errorAnswerOf } from '../sessions/error-answer.ts';
import { batchSchema, submitSchema, versionSchema, type RolloutService } from './contract.ts';

export interface RolloutServerOptions extends Pick<ListenOptions, 'host' | 'port'> {
  readonly service: RolloutService;
  readonly keys: Keys;
  onIncident(kind: 'refused-key', detail: string): void;
  onFault(cause: unknown): void;
}

const mostStreams = 256;

/** Rollouts as a service, by HTTP: submit tasks, poll or stream results, take batches. */
export async function createRolloutServer(options: RolloutServerOptions): Promise<Listening> {
  const { keys, onFault, onIncident, host, port, service } = options;
  const streams = new Set<ServerResponse>();
  const handler = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      roleOf(request, keys);
      const path = pathOf(request);
      if (request.method === 'GET' && path === '/events') return openStream(service, streams, response);
      const answer = await answerTo(request, path, service);
      sendJson(response, 200, answer);
    } catch (cause) {
      const { status, message, detail } = errorAnswerOf(cause, onFault);
      if (status === 401) onIncident('refused-key', message);
      sendJson(response, status, { detail: detail ?? message });
    }
  };
  const place = { ...(host === undefined ? {} : { host }), ...(port === undefined ? {} : { port }) };
  const listening = await listen(handler, { onFault, ...place });
  return {
    ...listening,
    close(hurry) {
      for (const stream of streams) stream.end();
      return listening.close(hurry);
    },
  };
}

async function answerTo(request: IncomingMessage, path: string, service: RolloutService): Promise<unknown> {
  const { method = '' } = request;
  const body = async (): Promise<unknown> => readJson(request, { status: 422 });
  const [, id] = /^\/rollout\/task\/([^/]{1,800})$/.exec(path) ?? [];
  if (method === 'GET' && (path === '/' || path === '/health')) return { status: 'healthy' };
  if (method === 'GET' && path === '/rollout/status') return service.summary();
  if (method === 'POST' && path === '/rollout/task/submit') return service.submit(submitSchema.parse(await body()));
  if (method === 'POST' && path === '/rollout/batch') return service.takeBatch(batchSchema.parse(await body()));
  if (method === 'POST' && path === '/rollout/version') {
    const wanted = versionSchema.parse(await body());
    service.setVersion(wanted);
    return { version: wanted.version };
  }
  if (id !== undefined && method === 'GET') return service.status(decoded(id));
  if (id !== undefined && method === 'DELETE') return service.cancel(decoded(id));
  throw new HttpError(404, `There is nothing at ${method} ${path}.`);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new HttpError(422, 'The id of the task is not encoded as it has to be in an address.');
  }
}

/** What a client that does not read may leave unread before it is cut off. */
const mostUnread = 2 ** 24;

/** Server-sent events: one for each session that ends and each task that changes. */
function openStream(service: RolloutService, streams: Set<ServerResponse>, response: ServerResponse): void {
  if (streams.size >= mostStreams) throw new HttpError(503, `${mostStreams} streams are open already. Close one.`);
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  response.write(': connected\n\n');
  streams.add(response);
  const stop = service.subscribe(({ type, ...data }) => {
    response.write(`event: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
    if (response.writableLength > mostUnread) response.destroy();
  });
  response.once('close', () => {
    streams.delete(response);
    stop();
  });
}
