import { Agent as HttpAgent, request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { Dialect } from '../../dialects/dialect.ts';

/** Where calls are passed on to. */
export interface Upstream {
  /** `openai:qwen3@http://127.0.0.1:8000/v1`, for the record. */
  readonly endpoint: string;
  readonly dialect: Dialect;
  /** What the path of a dialect is put behind: `http://127.0.0.1:8000/v1`. */
  readonly base: string;
  /** The model that is asked for, whatever the harness names; null leaves its word. */
  readonly model: string | null;
  readonly key: string | null;
}

export interface UpstreamRequest {
  readonly method: 'GET' | 'POST';
  /** Behind the base address. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Buffer | null;
  /** Ends it when whoever asked has hung up. */
  readonly signal: AbortSignal;
}

/** A line to one server, over connections that are kept. */
export interface UpstreamLine {
  /** The answer, its body still to come; throws when there is none. */
  ask(request: UpstreamRequest): Promise<IncomingMessage>;
  close(): void;
}

export function openLine(base: string): UpstreamLine {
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

  const send = (asked: UpstreamRequest, isRetry: boolean): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const { method, path, headers, body, signal } = asked;
      const request = start({ ...place, method, path: prefix + path, headers: withLength(headers, body) }, resolve);
      const hangUp = (): void => void request.destroy();
      signal.addEventListener('abort', hangUp, { once: true });
      request.once('close', () => signal.removeEventListener('abort', hangUp));
      request.on('error', (cause: NodeJS.ErrnoException) => {
        // The server ended a kept connection just as it was used again: the request never reached it.
        const isStale = request.reusedSocket && !isRetry && (cause.code === 'ECONNRESET' || cause.code === 'EPIPE');
        if (isStale && !signal.aborted) send(asked, true).then(resolve, reject);
        else reject(cause);
      });
      request.end(body ?? undefined);
      if (signal.aborted) hangUp();
    });

  return { ask: asked => send(asked, false), close: () => agent.destroy() };
}

function withLength(headers: UpstreamRequest['headers'], body: Buffer | null): RequestOptions['headers'] {
  const plain = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value as string | string[]]));
  return body === null ? plain : { ...plain, 'content-length': body.length };
}
