import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isIP, type AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Awaitable } from '../core/contracts.ts';
import { causeText, EspalierError, invalidOption } from '../core/errors.ts';

/** Answers one request. An error it throws becomes the answer; if the answer has started, the connection is cut. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => Awaitable<void>;

export interface ListenOptions {
  /** This machine only, unless told. */
  readonly host?: string;
  /** Any free one unless told. */
  readonly port?: number;
  /** Called with unexpected errors of a handler. */
  onFault?(cause: unknown): void;
  /** Takes over connections that ask for another protocol, such as WebSocket. Without it they are answered as requests. */
  onUpgrade?(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Pages of this server may ask it, those of others may not. Without it no page may. */
  readonly servesPages?: boolean;
  /** Connections open at once; a client that opens more is cut off. */
  readonly connections?: number;
}

/** An open port. */
export interface Listening {
  /** Without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** Accepts no more requests, lets running answers finish and frees the port; `hurry` cuts running answers. */
  close(hurry?: AbortSignal): Promise<void>;
}

/** Refuses a request with a status. */
export class HttpError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'HttpError';
    this.status = status;
  }
}

/** Longer than most clients keep a connection open, so that the client closes it and never writes to a closed one. */
const keepAliveMilliseconds = 65_000;
/** How long a client may take to send its request. */
const requestMilliseconds = 120_000;
/** Backlog of connections: a thousand episodes may start at once. */
const backlog = 4096;
const usualConnections = 8192;

/** The one place that opens a port. */
export async function listen(handler: Handler, options: ListenOptions = {}): Promise<Listening> {
  const { host: given = '127.0.0.1', port = 0, onFault, onUpgrade, connections = usualConnections } = options;
  const host = plainHost(given);
  const rules = { isPrivate: isLoopback(host), servesPages: options.servesPages === true };
  // HTTP/1.1 lets a server ignore an upgrade: a client that also offers h2c gets its answer as if it had not.
  const isTaken = ({ headers }: IncomingMessage): boolean =>
    onUpgrade !== undefined && headers.upgrade?.toLowerCase() === 'websocket';
  const server = createServer({ shouldUpgradeCallback: isTaken }, (request, response) => {
    // After close, each connection ends with its last answer.
    response.once('close', () => server.listening || server.closeIdleConnections());
    const refusal = refusalOf(request, rules);
    if (refusal !== null) return sendJson(response, refusal.status, errorBody(refusal.message));
    void answer(handler, { request, response, onFault });
  });
  server.keepAliveTimeout = keepAliveMilliseconds;
  server.headersTimeout = keepAliveMilliseconds;
  server.requestTimeout = requestMilliseconds;
  server.maxConnections = connections;
  if (onUpgrade !== undefined)
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      const refusal = refusalOf(request, rules);
      if (refusal === null) onUpgrade(request, socket, head);
      else refuseUpgrade(socket, refusal);
    });
  const found = await start(server, host, port);
  const shown = isIP(host) === 6 ? `[${host}]` : host;
  return { url: `http://${shown}:${found}`, port: found, close: hurry => stop(server, hurry) };
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly onFault: ListenOptions['onFault'] | undefined;
}

async function answer(handler: Handler, { request, response, onFault }: Exchange): Promise<void> {
  try {
    await handler(request, response);
  } catch (cause) {
    // A client that hung up gets no answer; that is not an error.
    if (response.destroyed) return;
    if (!(cause instanceof HttpError)) onFault?.(cause);
    if (response.headersSent) response.destroy();
    else if (cause instanceof HttpError) sendJson(response, cause.status, errorBody(cause.message));
    else sendJson(response, 500, errorBody('Something broke while this was answered.'));
  }
}

/** Answers a request for another protocol with a status, and hangs up. */
export function refuseUpgrade(socket: Duplex, { status, message }: HttpError): void {
  const body = JSON.stringify(errorBody(message));
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\ncontent-type: application/json\r\n`;
  socket.on('error', () => undefined);
  socket.end(`${head}content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`);
}

function errorBody(message: string): { readonly error: { readonly message: string } } {
  return { error: { message } };
}

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  const body = Buffer.from(JSON.stringify(value));
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': body.length });
  response.end(body);
}

/** The path of a request, as it came, without its query. */
export function pathOf({ url = '/' }: IncomingMessage): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}

/** The query of a request; empty where it has none, whatever its path is. */
export function queryOf({ url = '/' }: IncomingMessage): URLSearchParams {
  const end = url.indexOf('?');
  return new URLSearchParams(end < 0 ? '' : url.slice(end + 1));
}

/** The whole body. A body that is too large is read and dropped, so that the client receives the refusal. */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else chunks.length = 0;
    });
    request.once('end', () => {
      if (size <= limit) resolve(Buffer.concat(chunks, size));
      else reject(new HttpError(413, `The body is larger than ${limit} bytes. Send a smaller one.`));
    });
    request.once('error', reject);
    request.once('close', () => reject(new HttpError(400, 'The body was cut off.')));
  });
}

export interface JsonBody {
  /** Bytes; more than any action has to say, unless told. */
  readonly longest?: number;
  /** Of the refusal of what is not JSON. */
  readonly status?: number;
}

/** The body of a request as JSON; an empty body is an empty object. */
export async function readJson(request: IncomingMessage, options: JsonBody = {}): Promise<unknown> {
  const { longest = 2 ** 20, status = 400 } = options;
  const text = (await readBody(request, longest)).toString('utf8');
  try {
    return text.trim() === '' ? {} : JSON.parse(text);
  } catch (cause) {
    throw new HttpError(status, `The body is not JSON: ${causeText(cause)}. Send a JSON object.`);
  }
}

/** Aborts when the client hangs up before the answer has ended. */
export function hangUpSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

interface RequestRules {
  readonly isPrivate: boolean;
  readonly servesPages: boolean;
}

/** Whether a page of this very server asks. The host was checked before. */
function isSameOrigin({ headers }: IncomingMessage): boolean {
  const { host = '', origin = `http://${host}`, 'sec-fetch-site': site = 'none' } = headers;
  return origin === `http://${host}` && (site === 'same-origin' || site === 'none');
}

/** Why a request is not answered at all; null when it may be. */
function refusalOf(request: IncomingMessage, { isPrivate, servesPages }: RequestRules): HttpError | null {
  const { host, origin, 'sec-fetch-site': site, 'content-type': type = '' } = request.headers;
  // Node takes the first one, and whoever stands before this server may have checked the other.
  if ((request.headersDistinct['host']?.length ?? 0) > 1)
    return new HttpError(400, 'The request has more than one Host header. Send one.');
  // What is no host and port is not asked what it may mean: `evil.com@127.0.0.1` is one for a parser of addresses only.
  if (host !== undefined && !/^(\[[\da-f:.]+\]|[\w.-]+)(:\d{0,5})?$/i.test(host))
    return new HttpError(
      isPrivate ? 403 : 400,
      'The Host header is no host and port. Send one such as 127.0.0.1:8900.',
    );
  if (isPrivate && host !== undefined && !isLoopback(hostOf(`http://${host}`)))
    return new HttpError(
      403,
      `This server is for its own machine only, and not for "${host}". Ask for it as 127.0.0.1 or localhost.`,
    );
  // Browsers add these headers themselves, and scripts cannot remove them.
  const isOwnPage = servesPages && isSameOrigin(request);
  if (!isOwnPage && (origin !== undefined || (site !== undefined && site !== 'none')))
    return new HttpError(
      403,
      `Web pages may not use this server, and this request comes from ${origin === undefined ? 'one' : `"${origin}"`}. Ask from a program instead.`,
    );
  // The types that a form can send need no preflight: only a program can send JSON.
  if (methodsWithBody.has(request.method ?? '') && !/^application\/json\s*(;|$)/i.test(type))
    return new HttpError(
      415,
      `The content type is ${type === '' ? 'missing' : `"${type}"`}. Send the body as "Content-Type: application/json".`,
    );
  return null;
}

const methodsWithBody: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

function hostOf(url: string): string {
  return URL.parse(url)?.hostname.replace(/^\[|\]$/g, '') ?? '';
}

/** An address of IPv6 may stand in brackets, as in a URL. */
function plainHost(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}

/** Whether an address is that of this machine for itself. */
export function isLoopback(given: string): boolean {
  const host = plainHost(given);
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function start(server: Server, host: string, port: number): Promise<number> {
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw noPort(port);
  return new Promise((resolve, reject) => {
    server.once('error', cause => reject(cannotListen(cause, host, port)));
    server.listen({ host, port, backlog }, () => resolve((server.address() as AddressInfo).port));
  });
}

function noPort(port: number): EspalierError {
  return invalidOption(`${port} is no port.`, 'Expected a whole number from 0 to 65535; 0 takes any free one.');
}

function cannotListen(cause: Error, host: string, port: number): EspalierError {
  const { code } = cause as NodeJS.ErrnoException;
  const isTaken = code === 'EADDRINUSE';
  return new EspalierError({
    boundary: 'input',
    code: 'unavailable',
    message: isTaken
      ? `Port ${port} of ${host} is in use.`
      : `Port ${port} of ${host} cannot be opened: ${causeText(cause)}.`,
    expected:
      code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND'
        ? 'Expected an address of this machine, such as 127.0.0.1.'
        : 'Name a free port, or 0: then any free one is taken.',
    cause,
  });
}

function stop(server: Server, hurry: AbortSignal | undefined): Promise<void> {
  return new Promise(resolve => {
    const cut = (): void => server.closeAllConnections();
    // A second call fails because the server is closed, which is the wanted result.
    server.close(() => {
      hurry?.removeEventListener('abort', cut);
      resolve();
    });
    if (hurry?.aborted === true) cut();
    else hurry?.addEventListener('abort', cut, { once: true });
  });
}
