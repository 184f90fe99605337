import { isWrite } from '../../servers/front.ts';
import type { Backend } from './site.ts';

/** The writes that pages have sent to a server that several sessions share, and that nobody told us how to restore. */
export interface SentWrites {
  note(call: string): void;
  count(): number;
  /** The first one after so many. */
  after(count: number): string | undefined;
}

export function createSentWrites(): SentWrites {
  const calls: string[] = [];
  return { note: call => void calls.push(call), count: () => calls.length, after: count => calls[count] };
}

interface CountedState {
  readonly text: string;
  readonly writes: number;
}

/** A server that nobody declared: what it holds is as it was until a page writes to it. */
export function createUndeclaredServer(origin: string, sent: SentWrites): Backend {
  return {
    watch(page) {
      page.listen(({ method, params }) => {
        if (method === 'Network.webSocketCreated') sent.note(`a WebSocket to ${String(params['url'])}`);
      });
    },
    sending({ method, url }) {
      if (isWrite(method)) sent.note(`${method} ${new URL(url).pathname}`);
    },
    capture: () => ({ text: String(sent.count()), steady: '', writes: sent.count() }),
    restore(state) {
      const call = sent.after((state as unknown as CountedState).writes);
      return call === undefined ? null : `the page sent ${call} to a server that nobody declared`;
    },
    http: (path, init) => fetch(new URL(path, origin), init),
    sql: () => Promise.reject(new Error('no database is declared')),
    close: () => undefined,
  };
}
