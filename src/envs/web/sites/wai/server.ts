import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { causeText, EspalierError } from '../../../../core/errors.ts';
import type { WaiFiles } from './files.ts';
import { createStateHolder, type StateHolder } from './state-holder.ts';

/** Writes of the app's own scripts carry this header with the token of the server; nobody else may write the state. */
export const pageHeader = 'x-espalier-page';

const writes: ReadonlySet<string> = new Set(['PUT /api/state', 'POST /api/reset']);

/** Whether a call, `PUT /api/state`, changes the state. */
export function isStateWrite(call: string): boolean {
  return writes.has(call);
}

const largestBody = 32 * 1024 * 1024;

export interface WaiServerOptions {
  readonly files: WaiFiles;
  /** Which scripts may run in its pages: a Content-Security-Policy, sent with every answer. */
  readonly policy?: string | undefined;
  /** Any free one unless told. */
  readonly port?: number;
}

/** What the app of one session takes for its backend: it holds the state that the page pushes, as text. */
export interface WaiServer extends Pick<StateHolder, 'state' | 'seed' | 'restore' | 'pushes' | 'faults'> {
  /** Without a slash at the end. */
  readonly url: string;
  readonly token: string;
  /** Writes that came without the token. */
  refused(): number;
  /** Ends every connection; resolved when the port is free. */
  close(): Promise<void>;
}

export async function createWaiServer({ files, policy, port = 0 }: WaiServerOptions): Promise<WaiServer> {
  // A secret, not chance that decides anything: it shows in no record.
  const token = randomBytes(24).toString('base64url');
  const holder = createStateHolder();
  const listeners = new Set<ServerResponse>();
  let refused = 0;

  const write = async ({ request, response, path }: Exchange): Promise<void> => {
    if (request.headers[pageHeader] !== token) {
      refused++;
      request.resume();
      return reply(response, 403, { error: `Only the page may do this: ${request.method} ${path}.` });
    }
    if (path === '/api/state') return acceptPush(holder, { request, response, path });
    request.resume();
    const restored = holder.reset();
    for (const listener of listeners) listener.write('data: reset\n\n');
    const answer = { status: 'ok', action: 'reset', seed_restored: restored, clients_notified: listeners.size };
    return reply(response, 200, answer);
  };

  const handle = async (exchange: Exchange): Promise<void> => {
    const { request, response, path } = exchange;
    const call = `${request.method} ${path}`;
    if (isStateWrite(call)) return write(exchange);
    request.resume();
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return reply(response, 405, { error: `There is no ${call}.` });
    if (path === '/api/state') return sendState(response, holder.state());
    if (call === 'GET /api/events') return listen(response, listeners);
    return sendFile(response, await files.read(path));
  };

  const server = createServer((request, response) => {
    // What is no script must not be taken for one.
    response.setHeader('x-content-type-options', 'nosniff');
    if (policy !== undefined) response.setHeader('content-security-policy', policy);
    const path = pathOf(request.url ?? '/');
    if (path === null) return reply(response, 400, { error: 'The address cannot be read.' });
    handle({ request, response, path }).catch((cause: unknown) => {
      // A page that went away while it spoke is no fault, and hears no answer.
      if (!request.complete) return response.destroy();
      holder.report(`${request.method} ${path}: ${causeText(cause)}`);
      return reply(response, 500, { error: 'The file cannot be read.' });
    });
  });
  const url = await start(server, port);
  const { state, seed, restore, pushes, faults } = holder;
  const close = (): Promise<void> => stop(server, listeners);
  return { url, token, state, seed, restore, pushes, faults, refused: () => refused, close };
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Decoded, without the query. */
  readonly path: string;
}

function pathOf(url: string): string | null {
  try {
    return decodeURIComponent(new URL(url, 'http://127.0.0.1').pathname);
  } catch {
    return null;
  }
}

async function acceptPush(holder: StateHolder, { request, response }: Exchange): Promise<void> {
  const body = await readBody(request);
  const problem = body === null ? `The state is larger than ${largestBody} bytes` : holder.push(body);
  if (body === null) holder.report(`PUT /api/state: ${problem}`);
  if (problem === null) reply(response, 200, { status: 'ok' });
  else reply(response, body === null ? 413 : 400, { error: `${problem}.` });
}

/** The whole body; null when it is too large: the rest is read and dropped, so that the answer is heard. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= largestBody) chunks.push(chunk);
    else chunks.length = 0;
  }
  return size > largestBody ? null : Buffer.concat(chunks);
}

function sendState(response: ServerResponse, state: string | null): void {
  if (state === null) reply(response, 404, { error: 'No state was pushed yet: open the app in a browser first.' });
  else send(response, 200, { type: 'application/json', body: state });
}

function sendFile(response: ServerResponse, file: { type: string; body: Buffer } | null): void {
  if (file === null) reply(response, 404, { error: 'There is no such file.' });
  else send(response, 200, file);
}

function listen(response: ServerResponse, listeners: Set<ServerResponse>): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  response.write('data: connected\n\n');
  listeners.add(response);
  response.on('close', () => listeners.delete(response));
}

function reply(response: ServerResponse, status: number, value: object): void {
  send(response, status, { type: 'application/json', body: JSON.stringify(value) });
}

function send(response: ServerResponse, status: number, content: { type: string; body: string | Buffer }): void {
  // A port may serve another app tomorrow: a browser must not remember what it gave today.
  response.writeHead(status, {
    'content-type': content.type,
    'content-length': Buffer.byteLength(content.body),
    'cache-control': 'no-store',
  });
  response.end(content.body);
}

function start(server: Server, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', cause =>
      reject(
        new EspalierError({
          boundary: 'environment',
          code: 'unavailable',
          message: `The app cannot be served on port ${port} (${causeText(cause)}).`,
          expected: 'Name a free port, or none: then any free one is taken.',
          cause,
        }),
      ),
    );
    server.listen(port, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
}

function stop(server: Server, listeners: ReadonlySet<ServerResponse>): Promise<void> {
  return new Promise(resolve => {
    // A second call is told that it is closed already, which is what it asked for.
    server.close(() => resolve());
    for (const listener of listeners) listener.end();
    server.closeAllConnections();
  });
}
