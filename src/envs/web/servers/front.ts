import { createHash, hash } from 'node:crypto';
import {
  createServer,
  request as ask,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Timers } from '../../../core/clock.ts';

/** A request of the page and the answer of its server, as far as they can be compared. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly string[];
  readonly body: Buffer;
  readonly status: number;
  /** A hash of the body of the answer. */
  readonly answer: string;
  /** Of an answer that is a text, what it begins with. */
  readonly beginning: string;
  /** Whether the server broke the connection. */
  readonly isBroken: boolean;
}

/** Stands before the server of one session, so that its address stays when the server is started anew, and hears all requests. */
export interface Front {
  readonly port: number;
  /** Sends requests there from now on. */
  to(port: number): void;
  /** What was asked since this was last called, in the order of arrival. */
  take(): readonly Exchange[];
  /** Waits until everything was answered; names what still is not. */
  quiet(): Promise<string | null>;
  /** Names what cannot be asked again, a WebSocket; null when there was none. */
  unrepeatable(): string | null;
  close(): Promise<void>;
}

const quietMilliseconds = 1000;
const lookMilliseconds = 5;
const largestBody = 32 * 1024 * 1024;

/** A request that came in. */
interface Slot {
  readonly name: string;
  /** Undefined while it is not answered; null when it was cut off, or is a stream that need never end. */
  exchange: Exchange | null | undefined;
}

export async function openFront(timers: Timers): Promise<Front> {
  let port = 0;
  let slots: Slot[] = [];
  let unrepeatable: string | null = null;
  const sockets = new Set<Duplex>();

  const server = createServer((request, response) => {
    const slot: Slot = { name: `${request.method} ${request.url}`, exchange: undefined };
    slots.push(slot);
    const settle = (exchange: Exchange | null): void => {
      slot.exchange ??= exchange;
    };
    const isLost = (exchange: Exchange | null): boolean => exchange === null && isWrite(request.method ?? '');
    void forward(request, response, { port, onStream: () => settle(null) }).then(exchange => {
      if (isLost(exchange)) unrepeatable ??= `${slot.name}, which was broken off`;
      settle(exchange);
    });
  });
  server.on('connection', (socket: Socket) => track(sockets, socket));
  server.on('upgrade', (request, socket, head) => {
    unrepeatable ??= `a WebSocket to ${request.url}`;
    tunnel({ request, socket, head, port, sockets });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  // It keeps no process running by itself.
  server.unref();
  return {
    port: (server.address() as AddressInfo).port,
    to(next) {
      port = next;
    },
    take() {
      const taken = slots.flatMap(({ exchange }) => exchange ?? []);
      slots = slots.filter(({ exchange }) => exchange === undefined);
      return taken;
    },
    async quiet() {
      for (let waited = 0; ; waited += lookMilliseconds) {
        const open = slots.find(({ exchange }) => exchange === undefined);
        if (open === undefined) return null;
        if (waited >= quietMilliseconds) return open.name;
        await new Promise<void>(resolve => void timers.after(lookMilliseconds, resolve));
      }
    },
    unrepeatable: () => unrepeatable,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

interface Forwarding {
  readonly port: number;
  /** Told when the answer is a stream that need never end. */
  onStream(): void;
}

/** Null for an exchange that was cut off. */
async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  { port, onStream }: Forwarding,
): Promise<Exchange | null> {
  const { method = 'GET', url: path = '/', rawHeaders: headers } = request;
  const body = await bodyOf(request);
  if (body === null) return null;
  return new Promise(resolve => {
    const fail = (): void => {
      if (response.headersSent) response.destroy();
      else response.writeHead(502, { 'content-type': 'text/plain' }).end('The server does not answer.');
      resolve({ method, path, headers, body, status: 502, answer: '', beginning: '', isBroken: true });
    };
    const asked = ask({ host: 'localhost', port, method, path, headers: requestHeaders(headers), agent: false });
    asked.once('error', fail);
    asked.once('response', answer => {
      const digest = createHash('sha256');
      const { statusCode: status = 502 } = answer;
      if (answer.headers['content-type']?.startsWith('text/event-stream') === true) onStream();
      response.writeHead(status, answer.statusMessage, ownHeaders(answer.rawHeaders));
      const isText = isReadable(answer.headers);
      let beginning = '';
      answer.on('data', (chunk: Buffer) => {
        digest.update(chunk);
        if (isText && beginning.length < longestBeginning)
          beginning += chunk.toString('utf8', 0, longestBeginning - beginning.length);
      });
      answer.pipe(response);
      answer.once('end', () =>
        resolve({ method, path, headers, body, status, answer: digest.digest('hex'), beginning, isBroken: false }),
      );
      answer.once('error', fail);
    });
    response.once('close', () => {
      asked.destroy();
      resolve(null);
    });
    asked.end(body);
  });
}

const longestBeginning = 2000;

/** Data and pages: what is compressed, and what no server makes up for each session, is not. */
function isReadable(headers: IncomingHttpHeaders): boolean {
  const isPlain = headers['content-encoding'] === undefined;
  return isPlain && /json|text\/(?:html|plain|xml)/.test(headers['content-type'] ?? '');
}

/** Null when the page went away while it spoke, or says too much. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > largestBody) return null;
      chunks.push(chunk);
    }
  } catch {
    return null;
  }
  return Buffer.concat(chunks);
}

/** Sends an exchange again; says how the answer differs. */
export function repeat(
  port: number,
  { method, path, headers, body, status, answer }: Exchange,
): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const asked = ask({ host: 'localhost', port, method, path, headers: requestHeaders(headers), agent: false });
    asked.once('error', reject);
    asked.once('response', again => {
      const digest = createHash('sha256');
      const differs = `${method} ${path} was answered otherwise when it was sent again`;
      again.on('data', (chunk: Buffer) => void digest.update(chunk));
      again.once('end', () => resolve(again.statusCode === status && digest.digest('hex') === answer ? null : differs));
      again.once('error', reject);
    });
    asked.end(body);
  });
}

const safe: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** Whether a request is meant to change something. */
export function isWrite(method: string): boolean {
  return !safe.has(method.toUpperCase());
}

/** A write as far as it is the same in every replay. */
export function writeText({ method, path, body }: Exchange): string {
  return `${method} ${path} ${hash('sha256', body)}`;
}

/** Both ends have a connection of their own. */
const ofConnection: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'proxy-connection']);

type RawHeaders = readonly string[];

/** Names and values in turns, without those of the connection. */
function ownHeaders(raw: RawHeaders): string[] {
  return raw.filter((_, index) => !ofConnection.has((raw[index - (index % 2)] as string).toLowerCase()));
}

/** As a request takes them; its body is sent whole. */
function requestHeaders(raw: RawHeaders): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  const own = ownHeaders(raw);
  for (let index = 0; index + 1 < own.length; index += 2) {
    const [name, value] = [(own[index] as string).toLowerCase(), own[index + 1] as string];
    const before = headers[name];
    if (name !== 'transfer-encoding') headers[name] = before === undefined ? value : [before, value].flat();
  }
  return headers;
}

interface Tunnel {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly port: number;
  readonly sockets: Set<Duplex>;
}

function tunnel({ request, socket, head, port, sockets }: Tunnel): void {
  const far = connect({ host: 'localhost', port });
  for (const end of [socket, far]) track(sockets, end);
  far.once('connect', () => {
    const lines = request.rawHeaders.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`));
    far.write(`${request.method} ${request.url} HTTP/1.1\r\n${lines.join('')}\r\n`);
    far.write(head);
    socket.pipe(far).pipe(socket);
  });
  far.once('close', () => socket.destroy());
  socket.once('close', () => far.destroy());
}

function track(sockets: Set<Duplex>, socket: Duplex): void {
  sockets.add(socket);
  socket.once('close', () => sockets.delete(socket));
  socket.on('error', () => socket.destroy());
}
