/** Counts what the page is waiting for from outside, and answers for the person at the screen. Runs in the page. */
// oxlint-disable-next-line max-lines-per-function -- sent to the page as one text
export function installTraffic(): void {
  const { incidents } = globalThis.espalierKeeper;
  let pending = 0;
  let waiting: (() => void)[] = [];

  const began = (): (() => void) => {
    pending++;
    let open = true;
    return () => {
      if (!open) return;
      open = false;
      pending--;
      if (pending > 0) return;
      const told = waiting;
      waiting = [];
      for (const go of told) go();
    };
  };
  const counted = <T>(answer: Promise<T>): Promise<T> => {
    const ended = began();
    answer.then(ended, ended);
    return answer;
  };

  function countFetches(): void {
    const fetchReal = globalThis.fetch.bind(globalThis);
    globalThis.fetch = (...request) => counted(fetchReal(...request));
    const bodies = Response.prototype as unknown as Record<string, (this: Response) => Promise<unknown>>;
    for (const name of ['json', 'text', 'blob', 'arrayBuffer', 'formData']) {
      const read = bodies[name] as (this: Response) => Promise<unknown>;
      bodies[name] = function (this: Response) {
        return counted(read.call(this));
      };
    }
  }

  function countRequests(): void {
    const sendReal = XMLHttpRequest.prototype.send;
    XMLHttpRequest.prototype.send = function (this: XMLHttpRequest, body) {
      const ended = began();
      this.addEventListener('loadend', ended, { once: true });
      sendReal.call(this, body);
    };
  }

  /** A stream that has begun is not waited for: it need never end. */
  function countStreams(): void {
    const Real = EventSource;
    function PageEventSource(url: string | URL, options?: EventSourceInit): EventSource {
      const source = new Real(url, options);
      const ended = began();
      source.addEventListener('open', ended, { once: true });
      source.addEventListener('error', ended, { once: true });
      return source;
    }
    PageEventSource.prototype = Real.prototype;
    Object.assign(PageEventSource, { CONNECTING: 0, OPEN: 1, CLOSED: 2 });
    globalThis.EventSource = PageEventSource as unknown as typeof EventSource;
  }

  /** Nobody is there to answer a dialog: it is told, and answered with no. */
  function answerDialogs(): void {
    const told = (what: string, message: unknown): void =>
      void incidents.push({ kind: 'dialog', detail: `${what}: ${String(message ?? '')}` });
    globalThis.alert = message => told('alert', message);
    globalThis.confirm = message => {
      told('confirm, answered with no', message);
      return false;
    };
    globalThis.prompt = message => {
      told('prompt, answered with nothing', message);
      return null;
    };
    globalThis.print = () => told('print', '');
    globalThis.open = url => {
      incidents.push({ kind: 'popup', detail: `a window was refused: ${String(url ?? 'about:blank')}` });
      return null;
    };
  }

  countFetches();
  countRequests();
  countStreams();
  answerDialogs();
  globalThis.espalierKeeper.traffic = {
    pending: () => pending,
    idle: () => (pending === 0 ? Promise.resolve() : new Promise(resolve => waiting.push(resolve))),
  };
}
