import {
  Agent as HttpAgent,
  request as requestHttp,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { Timers } from '../../core/clock.ts';
import type { Dialect } from '../../models/dialects/dialect.ts';

/** Where calls are passed on to. */
export interface Upstream {
  /** `openai:qwen3@http://127.0.0.1:8000/v1`, for the record. */
  readonly endpoint: string;
  readonly dialect: Dialect;
  /** What the path of a dialect is put behind: `http://127.0.0.1:8000/v1`. */
  readonly base: string;
  /** The model to ask for; null keeps the one that the harness names. */
  readonly model: string | null;
  readonly key: string | null;
}

interface UpstreamRequest {
  readonly method: 'GET' | 'POST';
  /** Behind the base address. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Buffer | null;
  /** Ends it when whoever asked has hung up. */
  readonly signal: AbortSignal;
}

/** Limits on the size and the time of an answer; times in milliseconds, Infinity for no limit. */
export interface UpstreamLimits {
  /** Bytes of one answer. */
  readonly bytes: number;
  /** Without a byte from the server. */
  readonly idle: number;
  /** From the question to the end of the answer. */
  readonly total: number;
}

export const usualLimits: UpstreamLimits = { bytes: 64 * 2 ** 20, idle: 600_000, total: 3_600_000 };
const largestHead = 32 * 2 ** 10;

/** The server went beyond a limit. */
export class UpstreamError extends Error {
  /** What the harness is told. */
  readonly status: 502 | 504;

  constructor(status: 502 | 504, message: string) {
    super(message);
    this.name = 'UpstreamError';
    this.status = status;
  }
}

export interface UpstreamAnswer {
  readonly message: IncomingMessage;
  /** Counts bytes that came; ends the answer when they are too many. */
  count(bytes: number): void;
  /** The limit that ended the answer; null when none did. */
  overrun(): UpstreamError | null;
}

/** Keep-alive connections to one server. */
export interface UpstreamLine {
  /** The answer, with its body still to be read; throws when there is none. */
  ask(request: UpstreamRequest): Promise<UpstreamAnswer>;
  close(): void;
}

export interface LineOptions {
  readonly base: string;
  readonly limits: UpstreamLimits;
  readonly timers: Timers;
}

export function openLine({ base, limits, timers }: LineOptions): UpstreamLine {
  const url = new URL(base);
  const isSecure = url.protocol === 'https:';
  const agent = isSecure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  const start = isSecure ? requestHttps : requestHttp;
  const place: RequestOptions = {
    agent,
    protocol: url.protocol,
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port,
  };
  const prefix = url.pathname.replace(/\/$/, '');

  const send = (asked: UpstreamRequest, isRetry: boolean): Promise<UpstreamAnswer> =>
    new Promise((resolve, reject) => {
      const { method, path, headers, body, signal } = asked;
      const request = start({
        ...place,
        method,
        path: prefix + path,
        headers: withLength(headers, body),
        maxHeaderSize: largestHead,
      });
      const guard = guardAnswer(request, limits, timers);
      const hangUp = (): void => void request.destroy();
      let isAskedAgain = false;
      signal.addEventListener('abort', hangUp, { once: true });
      request.once('response', message => resolve({ message, ...guard }));
      request.once('close', () => {
        signal.removeEventListener('abort', hangUp);
        guard.end();
        if (isAskedAgain) return;
        // Nothing but an answer or an error settles it otherwise: an upgrade that nobody asked for does neither.
        reject(guard.overrun() ?? new UpstreamError(502, 'The model server closed the connection without an answer.'));
      });
      request.on('error', (cause: NodeJS.ErrnoException) => {
        // The server ended a kept connection just as it was used again: the request never reached it.
        const isStale = request.reusedSocket && !isRetry && (cause.code === 'ECONNRESET' || cause.code === 'EPIPE');
        isAskedAgain = isStale && !signal.aborted;
        if (isAskedAgain) send(asked, true).then(resolve, reject);
        else reject(guard.overrun() ?? cause);
      });
      request.end(body ?? undefined);
      if (signal.aborted) hangUp();
    });

  return { ask: asked => send(asked, false), close: () => agent.destroy() };
}

/** Ends a request that takes too long or brings too much. */
function guardAnswer(
  request: ClientRequest,
  { bytes: most, idle, total }: UpstreamLimits,
  timers: Timers,
): Pick<UpstreamAnswer, 'count' | 'overrun'> & { end(): void } {
  let overrun: UpstreamError | null = null;
  let [bytes, pieces] = [0, 0];
  const stop = (status: 502 | 504, message: string): void => {
    overrun ??= new UpstreamError(status, message);
    request.destroy();
  };
  const after = (milliseconds: number, run: () => void): (() => void) =>
    milliseconds === Infinity ? () => {} : timers.after(milliseconds, run);
  // One timer for many pieces: it looks whether any came since it was set.
  const watch = (seen: number): (() => void) =>
    after(idle, () => {
      if (pieces === seen) stop(504, `The model server sent nothing for ${idle} ms.`);
      else endIdle = watch(pieces);
    });
  let endIdle = watch(0);
  const endTotal = after(total, () => stop(504, `The answer of the model server took longer than ${total} ms.`));
  return {
    count(more) {
      bytes += more;
      pieces++;
      if (bytes > most) stop(502, `The answer of the model server is larger than ${most} bytes.`);
    },
    overrun: () => overrun,
    end() {
      endIdle();
      endTotal();
    },
  };
}

function withLength(headers: UpstreamRequest['headers'], body: Buffer | null): RequestOptions['headers'] {
  const plain = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value as string | string[]]));
  return body === null ? plain : { ...plain, 'content-length': body.length };
}
