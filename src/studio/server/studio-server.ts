import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Timers } from '../../core/clock.ts';
import { causeText, EspalierError } from '../../core/errors.ts';
import { HttpError, listen, pathOf, queryOf, sendJson, type Listening } from '../../serve/http.ts';
import type { Invitation, StudioSource } from '../api/api.ts';
import { answerApi, looking, methodsOf } from './routes.ts';
import type { StudioProgram } from './studio-program.ts';

export interface StudioServerOptions {
  readonly source: StudioSource;
  readonly program: StudioProgram;
  readonly port?: number | undefined;
  readonly timers: Timers;
  /** Opens the studio once: it stands in the link that is printed. */
  readonly key: string;
  /** What a browser that came with the key shows from then on. */
  readonly pass: string;
  /** Makes keys for the links of further people. */
  createKey(): string;
  onFault?(cause: unknown): void;
}

/** Nothing is loaded from elsewhere, nothing is run that is not the program itself, and nobody frames it. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const guards = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Espalier studio</title>
<link rel="stylesheet" href="/studio.css">
</head>
<body><div id="studio"></div><script src="/studio.js"></script></body>
</html>
`;

/** How often runs are looked at while somebody watches. */
const lookMilliseconds = 500;
/** Between parts of a large run while it is read at first: requests are answered in between. */
const readMilliseconds = 5;

/** Serves the studio to browsers of this machine. */
export async function createStudioServer(options: StudioServerOptions): Promise<Listening> {
  const { source, program, port, timers, onFault } = options;
  const files = new Map<string, StaticFile>([
    ['/', staticFile('text/html; charset=utf-8', page)],
    ['/studio.js', staticFile('text/javascript; charset=utf-8', program.script)],
    ['/studio.css', staticFile('text/css; charset=utf-8', program.style)],
  ]);
  const events = createEvents(source, timers, onFault);
  const gate = createGate(options);
  const invite = (): Invitation => ({ link: `/?key=${gate.addKey()}` });
  const listening = await listen(
    async (request, response) => {
      for (const [name, value] of Object.entries(guards)) response.setHeader(name, value);
      if (gate.answers(request, response)) return;
      const path = pathOf(request);
      const file = files.get(path);
      const allowed = file !== undefined || path === '/api/events' ? looking : methodsOf(path);
      if (allowed !== null) requireMethod(request, response, allowed);
      if (file !== undefined) return sendFile(request, response, file);
      if (path === '/api/events') return events.add(response);
      if (path === '/api/invite') return sendJson(response, 200, invite());
      try {
        if (await answerApi(source, request, response)) return;
      } catch (cause) {
        if (!(cause instanceof EspalierError)) throw cause;
        return sendJson(response, statusOf(cause), { error: { message: causeText(cause) } });
      }
      throw new HttpError(404, 'There is nothing here.');
    },
    { host: '127.0.0.1', ...(port === undefined ? {} : { port }), servesPages: true, ...(onFault && { onFault }) },
  );
  return {
    ...listening,
    async close(hurry) {
      events.close();
      await listening.close(hurry);
    },
  };
}

/** What is there, but not for this method, is told with the methods it is there for. */
function requireMethod({ method = '' }: IncomingMessage, response: ServerResponse, allowed: readonly string[]): void {
  if (allowed.includes(method)) return;
  response.setHeader('allow', allowed.join(', '));
  throw new HttpError(405, `${method} is not for this address. Use ${allowed.join(' or ')}.`);
}

function statusOf({ boundary, code }: EspalierError): number {
  if (code === 'locked') return 409;
  if (code === 'not-found') return 404;
  return boundary === 'input' ? 400 : 500;
}

interface StaticFile {
  readonly type: string;
  readonly plain: Buffer;
  readonly packed: Buffer;
}

function staticFile(type: string, text: string): StaticFile {
  return { type, plain: Buffer.from(text), packed: gzipSync(text) };
}

function sendFile(request: IncomingMessage, response: ServerResponse, { type, plain, packed }: StaticFile): void {
  const isPacked = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  const body = isPacked ? packed : plain;
  response.writeHead(200, {
    'content-type': type,
    'content-length': body.length,
    ...(isPacked ? { 'content-encoding': 'gzip' } : {}),
  });
  response.end(body);
}

interface Gate {
  /** True when the request is answered. */
  answers(request: IncomingMessage, response: ServerResponse): boolean;
  addKey(): string;
}

/** Keys that nobody has used yet. The oldest are forgotten. */
const mostKeys = 20;

/** Lets in who has the pass. A key gives the pass to one browser, once. */
function createGate({ key, pass, createKey }: StudioServerOptions): Gate {
  const keys = [key];
  return {
    addKey() {
      const made = createKey();
      keys.push(made);
      if (keys.length > mostKeys) keys.shift();
      return made;
    },
    answers(request, response) {
      const given = queryOf(request).get('key');
      const cookie = `espalier-studio-${request.socket.localPort}`;
      if (given === null || pathOf(request) !== '/') {
        if (isSame(cookieOf(request, cookie), pass)) return false;
        throw new HttpError(403, 'This browser has no access. Open the link that espalier studio printed.');
      }
      if (isSame(cookieOf(request, cookie), pass)) return redirect(response, {});
      const place = keys.findIndex(own => isSame(given, own));
      if (place < 0)
        throw new HttpError(
          403,
          'This link was used before. Make another one in the review queue, or start espalier studio again.',
        );
      keys.splice(place, 1);
      return redirect(response, { 'set-cookie': `${cookie}=${pass}; HttpOnly; SameSite=Strict; Path=/` });
    },
  };
}

/** Away from the key, so that it is not kept in the history. */
function redirect(response: ServerResponse, headers: Record<string, string>): true {
  response.writeHead(303, { location: '/', ...headers });
  response.end();
  return true;
}

function cookieOf({ headers }: IncomingMessage, name: string): string {
  const pairs = (headers.cookie ?? '').split(/;\s*/).map(pair => pair.split('='));
  return pairs.find(([found]) => found === name)?.[1] ?? '';
}

function isSame(given: string, wanted: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)];
  return one.length === other.length && timingSafeEqual(one, other);
}

interface Events {
  add(response: ServerResponse): void;
  close(): void;
}

/** Tells browsers when a run has changed. Nobody looks while nobody listens. */
function createEvents(source: StudioSource, timers: Timers, onFault?: (cause: unknown) => void): Events {
  const open = new Set<ServerResponse>();
  let cancel: (() => void) | null = null;
  let beats = 0;
  const look = (): void => {
    cancel = null;
    if (open.size === 0) return;
    try {
      const hasNews = source.refresh();
      const text = hasNews
        ? `event: runs\ndata: ${JSON.stringify(source.runs())}\n\n`
        : ++beats % 20 === 0
          ? ': \n\n'
          : '';
      if (text !== '') for (const response of open) response.write(text);
    } catch (cause) {
      onFault?.(cause);
    }
    cancel = timers.after(source.isReading() ? readMilliseconds : lookMilliseconds, look);
  };
  return {
    add(response) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`retry: 1000\nevent: runs\ndata: ${JSON.stringify(source.runs())}\n\n`);
      open.add(response);
      response.once('close', () => open.delete(response));
      cancel ??= timers.after(source.isReading() ? readMilliseconds : lookMilliseconds, look);
    },
    close() {
      cancel?.();
      for (const response of open) response.end();
      open.clear();
    },
  };
}
