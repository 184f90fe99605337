import { hash } from 'node:crypto';
import { Agent, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Timers } from '../../core/clock.ts';
import { HttpError, listen, pathOf, queryOf, readBody, refuseUpgrade, sendJson, type Listening } from '../http.ts';
import { sessionIdIn } from '../nemo-gym/session-cookie.ts';
import { roleOf, type Keys } from '../sessions/keys.ts';
import { placeIn } from '../sessions/place.ts';
import { createBackends, type Backend, type Backends } from './backends.ts';
import { forward, joinSocket, type Forwarding } from './forward.ts';
import { joinMetrics } from './joined-metrics.ts';

export interface FrontOptions {
  readonly host: string;
  readonly port: number;
  /** Those of the servers behind it: who has none is refused here. */
  readonly keys: Keys;
  readonly backends: readonly Backend[];
  readonly timers: Timers;
  /** Connections open at once. */
  readonly connections?: number;
  onFault(cause: unknown): void;
}

/** More than any protocol takes. */
const longestBody = 2 ** 25;

/**
 * One address for several servers. A connection stays with the server that it was given to; a request that names a session goes to the
 * server that has it. The front knows nothing of sessions: their ids say where they are.
 */
export async function createFront(options: FrontOptions): Promise<Listening> {
  const { host, port, keys, timers, onFault, connections } = options;
  const backends = createBackends({ all: options.backends, timers });
  const agent = new Agent({ keepAlive: true });
  const forwarding: Forwarding = { backends, agent };
  const open = new Set<Duplex>();
  const listening = await listen((request, response) => handle(request, response, { ...forwarding, keys }), {
    host,
    port,
    onFault,
    ...(connections === undefined ? {} : { connections }),
    onUpgrade(request, socket, head) {
      open.add(socket);
      socket.once('close', () => open.delete(socket));
      void upgrade({ request, socket, head }, backends, keys).catch(cause => {
        if (!(cause instanceof HttpError)) onFault(cause);
        refuseUpgrade(socket, cause instanceof HttpError ? cause : new HttpError(502, 'The server behind is gone.'));
      });
    },
  });
  return {
    ...listening,
    async close(hurry) {
      const cut = (): void => {
        for (const socket of open) socket.destroy();
      };
      if (hurry?.aborted === true) cut();
      else hurry?.addEventListener('abort', cut, { once: true });
      await listening.close(hurry);
      agent.destroy();
    },
  };
}

async function upgrade(
  { request, socket, head }: { request: IncomingMessage; socket: Duplex; head: Buffer },
  backends: Backends,
  keys: Keys,
): Promise<void> {
  roleOf(request, keys);
  // A client that hangs up while its server comes back.
  socket.on('error', () => undefined);
  const named = queryOf(request).get('place');
  if (named !== null && !/^[1-9]\d{0,3}$/.test(named)) throw new HttpError(400, 'Expected a number as "place".');
  await joinSocket({ request, socket, head, place: named === null ? null : Number(named) }, backends);
}

interface Handling extends Forwarding {
  readonly keys: Keys;
}

async function handle(request: IncomingMessage, response: ServerResponse, handling: Handling): Promise<void> {
  const { backends, keys } = handling;
  const path = pathOf(request);
  if (request.method === 'GET' && path === '/health') return sendHealth(request, response, backends);
  // Whoever guesses keys is slowed down here: the servers behind would take all clients for one.
  roleOf(request, keys);
  if (request.method === 'GET' && path === '/metrics') return sendMetrics(request, response, backends);
  if (request.method === 'GET' && path === '/metadata') return sendMetadata(request, response, backends);
  const body = await readBody(request, longestBody);
  await forward(response, { request, body, place: placeOf(request, body, backends) }, handling);
}

/** The server that a request is for; null for any. */
function placeOf(request: IncomingMessage, body: Buffer, { all }: Backends): number | null {
  const { 'mcp-session-id': ofMcp } = request.headers;
  const path = pathOf(request);
  const named = sessionIdIn(request) ?? (typeof ofMcp === 'string' ? ofMcp : null) ?? sessionInRpc(path, body);
  if (named !== null) return placeIn(named);
  // A world of MCP that has a name in place of a session.
  const [, name] = /^\/mcp\/([^/]+)$/.exec(path) ?? [];
  if (name === undefined) return null;
  return all[Number.parseInt(hash('sha256', name).slice(0, 8), 16) % all.length]?.place ?? null;
}

/** The session of a call by JSON-RPC. */
function sessionInRpc(path: string, body: Buffer): string | null {
  if (path !== '/mcp' || !body.includes('"session_id"')) return null;
  try {
    const { params } = JSON.parse(body.toString('utf8')) as { params?: { session_id?: unknown } };
    return typeof params?.session_id === 'string' ? params.session_id : null;
  } catch {
    // Any server says what is wrong with it.
    return null;
  }
}

async function sendHealth(request: IncomingMessage, response: ServerResponse, backends: Backends): Promise<void> {
  const { length: servers } = await askAll(request, backends);
  const status = servers === 0 ? 'unhealthy' : 'healthy';
  sendJson(response, servers === 0 ? 503 : 200, { status, servers, of: backends.all.length });
}

interface Answered {
  readonly place: number;
  readonly isOk: boolean;
  readonly text: string;
}

/** What all of them answer, those that are there. */
async function askAll(request: IncomingMessage, { all }: Backends): Promise<Answered[]> {
  const { authorization } = request.headers;
  const headers = authorization === undefined ? {} : { authorization };
  const found = all.map(async ({ place, address }): Promise<Answered[]> => {
    const own = address();
    if (own === null) return [];
    const answer = await fetch(new URL(pathOf(request), own), {
      headers,
      signal: AbortSignal.timeout(askMilliseconds),
    });
    return [{ place, isOk: answer.ok, text: await answer.text() }];
  });
  // One that went away meanwhile has nothing to say.
  return (await Promise.all(found.map(one => one.catch(() => [])))).flat();
}

const askMilliseconds = 5000;

async function sendMetrics(request: IncomingMessage, response: ServerResponse, backends: Backends): Promise<void> {
  const texts = (await askAll(request, backends)).filter(({ isOk }) => isOk);
  const own = `# TYPE espalier_servers gauge\nespalier_servers ${texts.length}\n`;
  response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
  response.end(own + joinMetrics(texts));
}

interface Metadata {
  readonly capabilities?: { readonly limits?: { readonly sessions?: number } };
}

/** Of one of them, with the places of all. */
async function sendMetadata(request: IncomingMessage, response: ServerResponse, backends: Backends): Promise<void> {
  const found = (await askAll(request, backends)).filter(({ isOk }) => isOk);
  const all = found.map(({ text }) => JSON.parse(text) as Metadata);
  const [first] = all;
  if (first === undefined) throw new HttpError(503, 'No server behind this address can be reached now. Try again.');
  const sessions = all.reduce((sum, { capabilities }) => sum + (capabilities?.limits?.sessions ?? 0), 0);
  const { place: _place, ...capabilities } = { ...first.capabilities } as Record<string, unknown>;
  const limits = { ...first.capabilities?.limits, sessions };
  sendJson(response, 200, { ...first, capabilities: { ...capabilities, limits } });
}
