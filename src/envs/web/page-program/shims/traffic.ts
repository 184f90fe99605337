import { countAnswers } from '../answers.ts';
import { first, unheard } from '../base.ts';
import { prototypeOf, replaceMethod } from './clock-sources.ts';
import { holdMessages } from './held-messages.ts';
import type { TellRealClock } from '../real-sources.ts';
import type { PageBase, PageListeners } from '../parts.ts';

export interface PageTraffic {
  /** Resolves when nothing is being fetched. */
  idle(): Promise<void>;
  pending(): number;
  /** How many messages scripts have posted to ports and to the window. */
  posted(): number;
  /** How many answers scripts were given. */
  answered(): number;
  /** Gives an answer after those that were asked for before it; the page is at rest only when it has come. */
  counted<T>(answer: Promise<T>): Promise<T>;
  /** Posts the messages that were held while the document was loaded. */
  release(): void;
}

export interface TrafficOptions {
  readonly tell: TellRealClock;
  /** Lets a task pass. */
  turn(): Promise<void>;
  readonly listeners: PageListeners;
  readonly base: PageBase;
}

/** Counts what the page is waiting for from outside. */
export function createTraffic({ listeners, base, tell, turn }: TrafficOptions): PageTraffic {
  const Real = Promise;
  // Taken before it is watched.
  const { apply, construct } = Reflect;
  let [pending, posted, requests, answers] = [0, 0, 0, 0];
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
  const inOrder = createOrder(base);
  /** How many messages were posted when all had last arrived. */
  let arrivedMessages = 0;
  /** Messages that were posted before an answer is given arrive before it, unless they take longer than a frame. */
  const afterMessages = async (): Promise<void> => {
    // What was given before it has its effects first.
    await turn();
    for (let count = 0; arrivedMessages !== posted && count < mostMessages; count++) {
      const before = posted;
      await base.drawn();
      await turn();
      if (before === posted) arrivedMessages = posted;
    }
  };
  let lastGiven: Promise<unknown> = new Real<void>(resolve => resolve());
  const counted = <T>(answer: Promise<T>): Promise<T> => {
    const ended = began();
    const before = lastGiven;
    const arrived = (): Promise<T> => (posted === 0 ? answer : before.then(afterMessages).then(() => answer));
    const given = inOrder(answer).then(arrived, arrived);
    const over = new Real<void>(
      resolve =>
        void given.then(
          () => resolve(),
          () => resolve(),
        ),
    );
    lastGiven = first([over, base.pause(mostWait)]);
    const counts = (): void => {
      answers++;
      ended();
    };
    given.then(counts, counts);
    return given;
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
    replaceMethod(prototypeOf('SubtleCrypto'), 'digest', (real, self, values) =>
      counted(apply(real, self, values) as Promise<unknown>),
    );
  }

  function countRequests(): void {
    const sendReal = XMLHttpRequest.prototype.send;
    XMLHttpRequest.prototype.send = function (this: XMLHttpRequest, body) {
      const ended = began();
      requests++;
      listeners.hearOn(this, 'loadend', () => {
        requests--;
        ended();
      });
      sendReal.call(this, body);
    };
    const readers = FileReader.prototype as unknown as Record<string, (this: FileReader, ...values: unknown[]) => void>;
    for (const name of ['readAsText', 'readAsDataURL', 'readAsArrayBuffer']) {
      const read = readers[name] as (this: FileReader, ...values: unknown[]) => void;
      readers[name] = function (this: FileReader, ...values) {
        listeners.hearOn(this, 'loadend', began());
        read.apply(this, values);
      };
    }
  }

  /** A stream that has begun is not waited for: it need never end. What it says first is still part of its beginning. */
  function countStreams(): void {
    const RealSource = EventSource;
    function PageEventSource(this: unknown, url: string | URL, options?: EventSourceInit): object {
      const source = construct(RealSource, [url, options], new.target ?? RealSource) as EventSource;
      const ended = began();
      listeners.hearOn(source, 'message', () => void base.drawn().then(ended));
      listeners.hearOn(source, 'open', () => void base.drawn().then(base.drawn).then(base.drawn).then(ended));
      listeners.hearOn(source, 'error', ended);
      return source;
    }
    PageEventSource.prototype = RealSource.prototype;
    Object.assign(PageEventSource, { CONNECTING: 0, OPEN: 1, CLOSED: 2 });
    globalThis.EventSource = PageEventSource as unknown as typeof EventSource;
  }

  const held = holdMessages(listeners);
  function countMessages(): void {
    for (const holder of [MessagePort.prototype, globalThis])
      replaceMethod(holder, 'postMessage', (real, self, values) => {
        posted++;
        if (requests > 0) tell('a message beside an XMLHttpRequest: which of them comes first is chance');
        return held.post(values, () => apply(real, self, values));
      });
  }

  countFetches();
  countMessages();
  countRequests();
  countStreams();
  countAnswers(began, listeners);
  return {
    pending: () => pending,
    posted: () => posted,
    answered: () => answers,
    counted,
    release: held.release,
    idle: () =>
      new Real(resolve => {
        if (pending === 0) resolve();
        else waiting.push(resolve);
      }),
  };
}

/** A port hears in its own time: so many tasks in which nobody posts, and all messages have come. */
export const calmTurns = 3;

/** Scripts that answer each message with another one: an answer does not wait for ever. */
const mostMessages = 200;

/** An answer waits so many milliseconds for those that were asked for before it. Later ones refuse the certificate. */
const mostWait = 1500;

/** Gives answers in the order in which they were asked for: which of them comes in first is chance. */
function createOrder({ pause }: PageBase): <T>(answer: Promise<T>) => Promise<T> {
  const Real = Promise;
  let last: Promise<void> = new Real(resolve => resolve());
  return answer => {
    const before = last;
    const both = new Real<void>(resolve => {
      const settled = (): void => void unheard(before).then(() => resolve());
      void answer.then(settled, settled);
    });
    last = first([both, pause(mostWait)]);
    return before.then(() => answer);
  };
}
