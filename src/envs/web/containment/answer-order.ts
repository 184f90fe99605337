import type { Page } from '../browser/page.ts';

/** Lets a page have its answers in the order in which it asked: which server is faster is chance. */
export interface AnswerOrder {
  /** Resolves when it is the turn of a request. */
  turn(request: OrderedRequest): Promise<void>;
  stop(): void;
}

interface OrderedRequest {
  readonly networkId?: string;
  readonly resourceType: string;
  readonly request?: { readonly headers?: Readonly<Record<string, string>> };
}

interface NetworkEvent {
  readonly requestId?: string;
  readonly type?: string;
  readonly frame?: { readonly parentId?: string };
}

/** What scripts hear of when it comes in. Documents wait for nothing, and streams need never end. */
const ordered: ReadonlySet<string> = new Set(['Script', 'Stylesheet', 'Image', 'XHR', 'Fetch']);

/** Others wait so many milliseconds for an answer, and then no more. */
const mostWait = 5000;

const lateAnswer = 'an answer that others did not wait for: which of them came first is chance';

/** The browser calls what an EventSource asks for an XHR. */
function isStream(request: OrderedRequest['request']): boolean {
  return request?.headers?.['Accept'] === 'text/event-stream';
}

export function orderAnswers(page: Pick<Page, 'listen' | 'after' | 'noteRealClock'>): AnswerOrder {
  /** Requests that are under way, in the order in which they were made, and who waits for each. */
  const open = new Map<string, () => void>();
  let last: Promise<void> = Promise.resolve();
  const end = (networkId: string): void => {
    open.get(networkId)?.();
    open.delete(networkId);
  };
  const stop = page.listen(({ method, params }) => {
    const { requestId, type, frame } = params as NetworkEvent;
    const isOver = method === 'Network.loadingFinished' || method === 'Network.loadingFailed';
    // The body of an answer may never be read; those that are read come in the order of their answers (SITE-105).
    const isAnswered = method === 'Network.responseReceived' && type === 'Fetch';
    if ((isOver || isAnswered) && requestId !== undefined) end(requestId);
    // What another document waited for, nobody waits for any more.
    if (method === 'Page.frameNavigated' && frame?.parentId === undefined) for (const id of open.keys()) end(id);
  });
  return {
    async turn({ networkId, resourceType, request }) {
      if (networkId === undefined || !ordered.has(resourceType) || isStream(request)) return;
      // A redirected request is asked for again under its name, and has its turn.
      if (open.has(networkId)) return;
      const before = last;
      const over = Promise.withResolvers<void>();
      open.set(networkId, over.resolve);
      last = before.then(() => over.promise);
      await before;
      const cancel = page.after(mostWait, () => {
        if (open.size > 1) page.noteRealClock(lateAnswer);
        end(networkId);
      });
      void over.promise.then(cancel);
    },
    stop,
  };
}
