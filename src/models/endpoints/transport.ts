import { request as requestPlain, type Agent, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as requestSecure } from 'node:https';
import type { TLSSocket } from 'node:tls';
import type { Timers } from '../../core/clock.ts';

/** How long one try may take, in milliseconds; Infinity for as long as it takes. */
export interface Deadlines {
  readonly connect: number;
  /** From there until the first token; without it, answers are not streamed. */
  readonly firstToken: number;
  /** All of it. */
  readonly total: number;
}

export interface OutgoingRequest {
  readonly url: string;
  readonly agent: Agent;
  readonly headers: Readonly<Record<string, string>>;
  /** Written when it is sent, so that nothing holds the text while the answer is waited for. */
  readonly body: () => string;
  readonly deadlines: Deadlines;
  readonly timers: Timers;
  readonly signal?: AbortSignal | undefined;
}

export interface Head {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

/** Whoever reads the answer while it comes. What these throw ends the try. */
export interface Listener {
  head(head: Head): void;
  /** `token` when the first token was in it, `done` when nothing that comes after matters. */
  text(text: string): 'more' | 'token' | 'done';
  /** Asked after each text: nothing more is read before the promise resolves. */
  pause?(): Promise<void> | null;
}

export type Break =
  | 'refused'
  | 'unreachable'
  | 'untrusted'
  | 'stale'
  | 'cut'
  | 'late-connect'
  | 'late-first-token'
  | 'late-total';

/** The answer did not come, or not to its end. */
export class TransportError extends Error {
  readonly kind: Break;

  constructor(kind: Break, message: string) {
    super(message);
    this.name = 'TransportError';
    this.kind = kind;
  }
}

/** Characters that may come after an answer has ended: more are not waited for. */
const longestRest = 2 ** 16;

/**
 * Sends a request, and hands over the answer as it comes. Node's own client: with a thousand answers waited for at once, what
 * each of them holds is a socket and a few closures.
 */
export function send(letter: OutgoingRequest, listener: Listener): Promise<void> {
  return new Promise((resolve, reject) => {
    const { signal } = letter;
    signal?.throwIfAborted();
    const body = Buffer.from(letter.body());
    const request = open(letter, body.length);
    const watch = createWatch(letter, (kind, message) => fail(new TransportError(kind, message)));
    let isSettled = false;
    const settle = (how: () => void): void => {
      if (isSettled) return;
      isSettled = true;
      signal?.removeEventListener('abort', stop);
      how();
    };
    const fail = (cause: unknown): void => {
      watch.end();
      settle(() => reject(cause as Error));
      request.destroy();
    };
    const stop = (): void => fail(signal?.reason);
    signal?.addEventListener('abort', stop, { once: true });

    request.on('socket', socket => {
      if (request.reusedSocket || !socket.connecting) watch.connected();
      else socket.once((socket as TLSSocket).encrypted ? 'secureConnect' : 'connect', watch.connected);
    });
    request.on('error', cause => fail(breakOf(cause, request.reusedSocket)));
    request.on('response', response => {
      response.setEncoding('utf8');
      const guard = (read: () => void): void => {
        try {
          if (!isSettled) read();
        } catch (cause) {
          fail(cause);
        }
      };
      guard(() => listener.head({ status: response.statusCode ?? 0, headers: response.headers }));
      let drained = 0;
      response.on('data', (text: string) => {
        if (isSettled && (drained += text.length) > longestRest) request.destroy();
        guard(() => {
          const progress = listener.text(text);
          if (progress !== 'more') watch.token();
          // The rest is let run out, so that the connection can be used again.
          if (progress === 'done') settle(resolve);
          else void rest(response, listener.pause?.() ?? null);
        });
      });
      response.on('error', cause => fail(new TransportError('cut', cause.message)));
      response.on('end', () => settle(resolve));
      response.on('close', () => {
        watch.end();
        settle(() => reject(new TransportError('cut', 'the connection was closed')));
      });
    });
    request.end(body);
  });
}

/** The server there waits meanwhile: what it sends stays in the buffers of the connection. */
async function rest(response: IncomingMessage, pause: Promise<void> | null): Promise<void> {
  if (pause === null) return;
  response.pause();
  await pause;
  response.resume();
}

function open({ url, agent, headers }: OutgoingRequest, length: number) {
  const request = url.startsWith('https:') ? requestSecure : requestPlain;
  return request(url, {
    method: 'POST',
    agent,
    headers: { ...headers, 'content-type': 'application/json', 'content-length': length },
  });
}

interface Watch {
  connected(): void;
  token(): void;
  end(): void;
}

function createWatch({ deadlines, timers }: OutgoingRequest, late: (kind: Break, message: string) => void): Watch {
  const start = (kind: Break, milliseconds: number, what: string): (() => void) =>
    milliseconds === Infinity
      ? () => {}
      : timers.after(milliseconds, () => late(kind, `${what} within ${milliseconds} ms`));
  const endTotal = start('late-total', deadlines.total, 'the answer did not end');
  let endStage = start('late-connect', deadlines.connect, 'there was no connection');
  let isOver = false;
  return {
    connected() {
      endStage();
      if (!isOver) endStage = start('late-first-token', deadlines.firstToken, 'there was no first token');
    },
    token: () => endStage(),
    end() {
      isOver = true;
      endStage();
      endTotal();
    },
  };
}

const downCodes = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'EAI_AGAIN']);

/** A connection that was kept and that the server had closed meanwhile is nobody's fault: another one will do. */
function breakOf(cause: Error & { code?: string }, wasReused: boolean): TransportError {
  const code = cause.code ?? '';
  if (code === 'ENOTFOUND') return new TransportError('unreachable', 'no such host');
  if (downCodes.has(code)) return new TransportError('refused', code);
  if (/CERT|TLS|SSL|SIGNED|ALTNAME/.test(code)) return new TransportError('untrusted', `${code}: ${cause.message}`);
  return new TransportError(wasReused ? 'stale' : 'cut', code === '' ? cause.message : code);
}
