import type { PageLinks, PageTripwires } from '../parts.ts';
import { closedTraps } from '../traps.ts';
import { replaceGetter, replaceMethod } from './clock-sources.ts';
import type { TellRealClock } from '../real-sources.ts';
import type { PageTraffic } from './traffic.ts';

// Taken before they are watched.
const { apply, construct } = Reflect;
const { then } = Promise.prototype;
const streams = ReadableStream.prototype;
const readers = ReadableStreamDefaultReader.prototype;
type Get = (self: object) => unknown;
const getter = (holder: object, name: string): Get => {
  const get = Object.getOwnPropertyDescriptor(holder, name)?.get as () => unknown;
  return self => apply(get, self, []);
};
const [lockOf, closedOf] = [getter(streams, 'locked'), getter(readers, 'closed')];

interface StreamState {
  /** When it was first met, in snapshots. */
  readonly made: number;
  /** Null for one that the browser made. */
  stream: object | null;
  kind: 'open' | 'closed' | 'broken';
  cause: unknown;
  /** Whether somebody asked for what is in it since it is over. */
  isAsked: boolean;
}

interface ReaderState {
  /** Null once it let go of it. */
  stream: object | null;
  /** Whether a script asked for the promise that it is closed. */
  isAwaited: boolean;
}

const changed = 'a stream that was over before';
const inParts = 'an answer of a server in several parts: how it is cut is chance';

/**
 * Knows which streams are over: those never change, and call nothing of the page any more. What others hold, and who waits for it,
 * the browser keeps to itself.
 */
export function createStreams(
  { tripSince, moment }: Pick<PageTripwires, 'tripSince' | 'moment'>,
  { counted }: Pick<PageTraffic, 'counted'>,
  tell: TellRealClock,
): PageLinks {
  const states = new WeakMap<object, StreamState>();
  const [stateOf, setState] = [states.get.bind(states), states.set.bind(states)];
  const readerStates = new WeakMap<object, ReaderState>();
  const [readerOf, setReader] = [readerStates.get.bind(readerStates), readerStates.set.bind(readerStates)];
  const controllers = new WeakMap<object, StreamState>();
  const [controlledBy, setControlled] = [controllers.get.bind(controllers), controllers.set.bind(controllers)];
  /** What servers answered, and those that walk through it; how many parts of it have come. */
  const bodies = new WeakMap<object, { parts: number }>();
  const [bodyOf, addBody] = [bodies.get.bind(bodies), bodies.set.bind(bodies)];
  let hasBodies = false;

  const fresh = (): StreamState => ({
    made: moment(),
    stream: null,
    kind: 'open',
    cause: undefined,
    isAsked: false,
  });
  const known = (stream: object): StreamState => {
    const state = stateOf(stream) ?? fresh();
    state.stream = stream;
    setState(stream, state);
    return state;
  };
  const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

  /** What a script does with one that is over can be seen: who reads it, and that somebody did. */
  function touch(stream: object | null | undefined): void {
    const state = stream === null || stream === undefined ? undefined : stateOf(stream);
    if (state !== undefined && state.kind !== 'open') tripSince(changed, state.made);
  }

  /** The browser says that a stream is over by a promise alone; one that was let go of says that, too. */
  function watchReader(reader: object, stream: object): void {
    const state = known(stream);
    touch(stream);
    const its: ReaderState = { stream, isAwaited: false };
    setReader(reader, its);
    const isBroken = (cause: unknown): void => {
      if (its.stream !== null) end(state, 'broken', cause);
    };
    apply(then, closedOf(reader), [() => end(state, 'closed'), isBroken]);
  }

  function end(state: StreamState, kind: 'closed' | 'broken', cause?: unknown): void {
    if (state.kind === 'open') [state.kind, state.cause] = [kind, cause];
  }

  function watchStreams(): void {
    const Real = ReadableStream;
    const traps = closedTraps<typeof ReadableStream>({
      construct(target, [source, ...more]: unknown[], as) {
        const state = fresh();
        const given = isObject(source) ? sourceFor(source as UnderlyingDefaultSource, state) : source;
        const stream = construct(target, [given, ...more], as as typeof Real) as object;
        state.stream = stream;
        setState(stream, state);
        return stream;
      },
    });
    const value = new Proxy(Real, traps);
    Object.defineProperty(streams, 'constructor', { value, writable: true, configurable: true });
    Object.defineProperty(globalThis, 'ReadableStream', { value, writable: true, configurable: true });
  }

  /** What the browser calls, so that the controller that it gives is known. */
  function sourceFor(source: UnderlyingDefaultSource, state: StreamState): object {
    const named = source as Record<string, unknown>;
    // In the order in which the browser asks.
    const order = ['autoAllocateChunkSize', 'cancel', 'pull', 'start', 'type'] as const;
    const [autoAllocateChunkSize, cancel, pull, start, type] = order.map(name => named[name]);
    const asGiven = (run: unknown): unknown =>
      typeof run === 'function' ? (value: unknown) => apply(run, source, [value]) as unknown : run;
    const meeting = (run: unknown): unknown =>
      typeof run !== 'function'
        ? run
        : (controller: object) => {
            setControlled(controller, state);
            return apply(run, source, [controller]) as unknown;
          };
    const given = { autoAllocateChunkSize, cancel: asGiven(cancel), pull: meeting(pull), start: meeting(start), type };
    return { __proto__: null, ...given } as object;
  }

  function watchReaders(): void {
    const Real = ReadableStreamDefaultReader;
    const traps = closedTraps<typeof ReadableStreamDefaultReader>({
      construct(target, [stream]: unknown[], as) {
        const reader = construct(target, [stream], as as typeof Real) as object;
        watchReader(reader, stream as object);
        return reader;
      },
    });
    const value = new Proxy(Real, traps);
    Object.defineProperty(readers, 'constructor', { value, writable: true, configurable: true });
    Object.defineProperty(globalThis, 'ReadableStreamDefaultReader', { value, writable: true, configurable: true });
    replaceMethod(streams, 'getReader', (real, self, values) => {
      const reader = apply(real, self, values) as object;
      // Another kind of reader is refused where it is met.
      if (reader instanceof Real) watchReader(reader, self as object);
      else if (bodyOf(self as object) !== undefined) tell(inParts);
      return reader;
    });
    replaceMethod(readers, 'releaseLock', (real, self, values) => {
      const its = readerOf(self as object);
      apply(real, self, values);
      touch(its?.stream);
      if (its !== undefined) its.stream = null;
    });
    replaceMethod(readers, 'read', (real, self, values) => {
      const stream = readerOf(self as object)?.stream ?? null;
      if (stream !== null) ask(stream);
      const answer = apply(real, self, values) as Promise<unknown>;
      return stream === null ? answer : inTime(stream, answer);
    });
    replaceMethod(readers, 'cancel', (real, self, values) => {
      const stream = readerOf(self as object)?.stream ?? null;
      if (stream !== null) ask(stream);
      return apply(real, self, values);
    });
  }

  /** How a server's answer is cut into parts is chance, where there are several. */
  function inTime(stream: object, answer: Promise<unknown>): Promise<unknown> {
    const body = bodyOf(stream);
    if (body === undefined) return answer;
    const count = (read: unknown): void => {
      if ((read as { done?: unknown }).done === true) return;
      body.parts++;
      if (body.parts > 1) tell(inParts);
    };
    apply(then, answer, [count, () => undefined]);
    return counted(answer);
  }

  /** Whether somebody ever asked for what is in a stream can be seen once nobody reads it any more. */
  function ask(stream: object): void {
    const state = known(stream);
    if (!state.isAsked) touch(stream);
    state.isAsked = true;
  }

  function watchOthers(): void {
    const values = (streams as unknown as { values(): object }).values;
    const walks = new WeakMap<object, object>();
    const [walkedBy, setWalk, endWalk] = [walks.get.bind(walks), walks.set.bind(walks), walks.delete.bind(walks)];
    const iterators = Object.getPrototypeOf(apply(values, new ReadableStream(), [])) as object;
    replaceMethod(streams, 'values', (real, self, options) => {
      const iterator = apply(real, self, options) as object;
      touch(self as object);
      setWalk(iterator, self as object);
      return iterator;
    });
    const member = Object.getOwnPropertyDescriptor(streams, 'values') as PropertyDescriptor;
    Object.defineProperty(streams, Symbol.asyncIterator, { ...member, enumerable: false });
    replaceMethod(iterators, 'next', (real, self, given) => {
      const answer = apply(real, self, given) as Promise<IteratorResult<unknown>>;
      const stream = walkedBy(self as object);
      if (stream === undefined) return answer;
      const state = known(stream);
      const isOver = ({ done }: IteratorResult<unknown>): void => {
        if (done === true) end(state, 'closed');
      };
      apply(then, answer, [isOver, (cause: unknown) => end(state, 'broken', cause)]);
      return inTime(stream, answer);
    });
    // Then the stream may go on without it.
    replaceMethod(iterators, 'return', (real, self, given) => {
      endWalk(self as object);
      return apply(real, self, given);
    });
    for (const name of ['pipeThrough', 'pipeTo', 'tee'])
      replaceMethod(streams, name, (real, self, given) => {
        if (bodyOf(self as object) !== undefined) tell(inParts);
        return apply(real, self, given);
      });
    for (const [holder, name] of [
      [globalThis, 'structuredClone'],
      [globalThis, 'postMessage'],
      [MessagePort.prototype, 'postMessage'],
    ] as const)
      replaceMethod(holder, name, (real, self, given) => {
        // With what is handed over.
        if (hasBodies && given.some((value, index) => index > 0 && isObject(value))) tell(inParts);
        return apply(real, self, given);
      });
    replaceMethod(streams, 'cancel', (real, self, given) => {
      ask(self as object);
      return apply(real, self, given);
    });
    replaceGetter(Response.prototype, 'body', body => {
      if (!isObject(body) || stateOf(body) !== undefined) return body;
      hasBodies = true;
      if (bodyOf(body) === undefined) addBody(body, { parts: 0 });
      return body;
    });
  }

  watchOthers();
  watchReaders();
  watchStreams();
  return {
    entriesOf(value) {
      const state = stateOf(value);
      if (state !== undefined) return [state.kind, state.cause, lockOf(value), state.isAsked];
      const its = readerOf(value);
      if (its !== undefined) return [its.stream];
      const controlled = controlledBy(value);
      return controlled === undefined ? null : [controlled.stream];
    },
    refusalOf: value => (stateOf(value)?.kind === 'open' ? 'a stream that is not over' : null),
  };
}
