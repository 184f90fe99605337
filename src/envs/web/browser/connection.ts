import type { Readable, Writable } from 'node:stream';
import { EspalierError } from '../../../core/errors.ts';

/** What the browser tells without being asked. */
export interface BrowserEvent {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export type Params = Readonly<Record<string, unknown>>;

/** One connection to a browser; pages are told apart by the session that each was attached with. */
export interface Connection {
  /** Asks the browser, or one of its pages. Rejects when it says no, and when it goes away. */
  send<T = unknown>(method: string, params?: Params, session?: string): Promise<T>;
  /** Told of every event of a session; of the browser itself when none is named. Gives back how to stop. */
  listen(hear: (event: BrowserEvent) => void, session?: string): () => void;
  /** Nobody listens to a session any more. */
  forget(session: string): void;
  isLost(): boolean;
  /** Resolves when the browser went away. */
  readonly lost: Promise<void>;
}

export interface ConnectionOptions {
  readonly input: Writable;
  readonly output: Readable;
}

interface Waiting {
  resolve(result: unknown): void;
  reject(cause: Error): void;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Params;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
  readonly sessionId?: string;
}

/** Said by whatever was waited for when the browser or the page went away. */
export class LostError extends EspalierError {
  constructor(what: 'browser' | 'page') {
    super({
      boundary: 'environment',
      code: 'unavailable',
      message: `The ${what} went away while it was waited for.`,
      expected: 'Expected a browser that keeps running; look whether the machine is short of memory.',
    });
    this.name = 'LostError';
  }
}

/** Speaks the Chrome DevTools Protocol over a pair of pipes: messages end with a zero byte. */
export function createConnection({ input, output }: ConnectionOptions): Connection {
  const waiting = new Map<number, Waiting>();
  const listeners = new Map<string, Set<(event: BrowserEvent) => void>>();
  let last = 0;
  let isLost = false;
  const lost = Promise.withResolvers<void>();

  const lose = (): void => {
    isLost = true;
    lost.resolve();
    for (const { reject } of waiting.values()) reject(new LostError('browser'));
    waiting.clear();
  };
  const take = (message: Message): void => {
    if (message.id === undefined) {
      const event = { method: message.method ?? '', params: message.params ?? {} };
      for (const hear of listeners.get(message.sessionId ?? '') ?? []) hear(event);
      return;
    }
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error === undefined) asked?.resolve(message.result);
    else asked?.reject(new Error(message.error.message));
  };
  // What does not speak the protocol is no browser.
  readMessages(output, { take, garble: () => output.destroy() });
  output.on('close', lose);
  output.on('error', lose);
  input.on('error', lose);

  return {
    lost: lost.promise,
    isLost: () => isLost,
    forget: session => void listeners.delete(session),
    send<T>(method: string, params: Params = {}, session?: string): Promise<T> {
      if (isLost) return Promise.reject(new LostError('browser'));
      const id = ++last;
      return new Promise<T>((resolve, reject) => {
        waiting.set(id, { resolve: resolve as (result: unknown) => void, reject });
        const message = session === undefined ? { id, method, params } : { id, method, params, sessionId: session };
        input.write(`${JSON.stringify(message)}\0`);
      });
    },
    listen(hear, session = '') {
      const those = listeners.get(session) ?? new Set();
      listeners.set(session, those.add(hear));
      return () => {
        those.delete(hear);
        if (those.size === 0) listeners.delete(session);
      };
    },
  };
}

interface Reader {
  take(message: Message): void;
  garble(): void;
}

function readMessages(output: Readable, { take, garble }: Reader): void {
  let parts: Buffer[] = [];
  output.on('data', (chunk: Buffer) => {
    let start = 0;
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, start)) {
      parts.push(chunk.subarray(start, end));
      const text = parts.length === 1 ? (parts[0] as Buffer).toString() : Buffer.concat(parts).toString();
      parts = [];
      start = end + 1;
      const message = parsed(text);
      if (message === null) return garble();
      take(message);
    }
    if (start < chunk.length) parts.push(chunk.subarray(start));
  });
}

function parsed(text: string): Message | null {
  try {
    return JSON.parse(text) as Message;
  } catch {
    return null;
  }
}
