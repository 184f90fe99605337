/** Counts what the page is waiting for from outside. Runs in the page, before any script of it. */
// oxlint-disable-next-line max-lines-per-function -- sent to the page as one text
export function installTraffic(): void {
  const keeper = globalThis.espalierKeeper;
  const Real = Promise;
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
    for (const holder of [Response.prototype, Blob.prototype]) {
      const bodies = holder as unknown as Record<string, ((this: object) => Promise<unknown>) | undefined>;
      for (const name of ['json', 'text', 'blob', 'arrayBuffer', 'formData', 'bytes']) {
        const read = bodies[name];
        if (read === undefined) continue;
        bodies[name] = function (this: object) {
          return counted(read.call(this));
        };
      }
    }
  }

  function countRequests(): void {
    const sendReal = XMLHttpRequest.prototype.send;
    XMLHttpRequest.prototype.send = function (this: XMLHttpRequest, body) {
      keeper.hearOn(this, 'loadend', began());
      sendReal.call(this, body);
    };
    const readers = FileReader.prototype as unknown as Record<string, (this: FileReader, ...values: unknown[]) => void>;
    for (const name of ['readAsText', 'readAsDataURL', 'readAsArrayBuffer']) {
      const read = readers[name] as (this: FileReader, ...values: unknown[]) => void;
      readers[name] = function (this: FileReader, ...values) {
        keeper.hearOn(this, 'loadend', began());
        read.apply(this, values);
      };
    }
  }

  /** A stream that has begun is not waited for: it need never end. What it says first is still part of its beginning. */
  function countStreams(): void {
    const RealSource = EventSource;
    function PageEventSource(this: unknown, url: string | URL, options?: EventSourceInit): object {
      const source = Reflect.construct(RealSource, [url, options], new.target ?? RealSource) as EventSource;
      const ended = began();
      keeper.hearOn(source, 'message', () => void keeper.drawn().then(ended));
      keeper.hearOn(source, 'open', () => void keeper.drawn().then(keeper.drawn).then(keeper.drawn).then(ended));
      keeper.hearOn(source, 'error', ended);
      return source;
    }
    PageEventSource.prototype = RealSource.prototype;
    Object.assign(PageEventSource, { CONNECTING: 0, OPEN: 1, CLOSED: 2 });
    globalThis.EventSource = PageEventSource as unknown as typeof EventSource;
  }

  countFetches();
  countRequests();
  countStreams();
  keeper.traffic = {
    pending: () => pending,
    idle: () => (pending === 0 ? Real.resolve() : new Real(resolve => waiting.push(resolve))),
  };
}
