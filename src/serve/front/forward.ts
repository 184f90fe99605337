import { Agent, request as ask, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { HttpError } from '../http.ts';
import { isUnreached, type Backends } from './backends.ts';

/** What concerns one connection alone. */
const ofConnection: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const httpPort = 80;

export interface Forwarding {
  readonly backends: Backends;
  readonly agent: Agent;
}

export interface Forwarded {
  readonly request: IncomingMessage;
  readonly body: Buffer;
  /** Of the server that it is for; null for any. */
  readonly place: number | null;
}

/** Sends a request to a server, and its answer to whoever asked. */
export function forward(
  response: ServerResponse,
  { request, body, place }: Forwarded,
  { backends, agent }: Forwarding,
): Promise<void> {
  return backends.reach(place, address => {
    const release = backends.occupy(address);
    return send(address, { request, body, agent }, response).finally(release);
  });
}

interface Sent extends Omit<Forwarded, 'place'> {
  readonly agent: Agent;
}

function send(address: URL, { request, body, agent }: Sent, response: ServerResponse): Promise<void> {
  return new Promise((resolve, reject) => {
    // Who hung up while a server came back.
    if (response.destroyed) return resolve();
    const { method, url, headers } = request;
    const { hostname: host, port } = address;
    const asked = ask(
      { host: plain(host), port: Number(port) || httpPort, method, path: url, agent, headers: passed(headers, body) },
      answer => {
        response.writeHead(answer.statusCode ?? 502, withoutConnection(answer.headers));
        // A stream without a first event has begun all the same.
        response.flushHeaders();
        answer.pipe(response);
        answer.once('error', () => response.destroy());
        answer.once('close', () => {
          if (!answer.complete) response.destroy();
          resolve();
        });
      },
    );
    response.once('close', () => asked.destroy());
    asked.once('error', (cause: NodeJS.ErrnoException) => {
      if (response.headersSent || response.destroyed) return resolve();
      reject(isUnreached(cause) ? cause : cutOff());
    });
    asked.end(body);
  });
}

function passed(headers: IncomingHttpHeaders, body: Buffer): IncomingHttpHeaders {
  const kept = withoutConnection(headers);
  return body.length === 0 ? kept : { ...kept, 'content-length': String(body.length) };
}

function withoutConnection(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ofConnection.has(name)));
}

function cutOff(): HttpError {
  return new HttpError(
    503,
    'The server that had this request is gone, so it may have been done or not. Send it again once the server is back.',
  );
}

export interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly place: number | null;
}

/** Joins a WebSocket with a server: from then on bytes pass as they are. */
export async function joinSocket({ request, socket, head, place }: Upgrade, backends: Backends): Promise<void> {
  await backends.reach(place, async address => {
    const server = await connected(address);
    if (socket.destroyed) return void server.destroy();
    join(socket, server, backends.occupy(address));
    server.write(headOf(request, address));
    if (head.length > 0) server.write(head);
  });
}

/** A connection to a server. */
export function connected({ hostname: host, port }: URL): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: plain(host), port: Number(port) || httpPort, noDelay: true, keepAlive: true });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(socket);
    });
  });
}

/** Passes bytes both ways until one side is gone. */
export function join(client: Duplex, server: Socket, onEnd: () => void): void {
  for (const [from, to] of [
    [client, server],
    [server, client],
  ] as const) {
    from.on('error', () => to.destroy());
    from.once('close', () => {
      // What is on its way arrives first.
      to.end(() => to.destroy());
      onEnd();
    });
    from.pipe(to);
  }
}

/** The request as it came, for the host that it goes to. */
function headOf({ method, url, rawHeaders }: IncomingMessage, { host }: URL): string {
  const lines = [`${method} ${url} HTTP/1.1`, `Host: ${host}`];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.toLowerCase() !== 'host') lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** An address of IPv6 stands in brackets in a URL. */
function plain(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}
