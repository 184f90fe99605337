import { prototypeOf, replaceGetter, replaceMethod } from './shims/clock-sources.ts';
import { closedTraps } from './traps.ts';

/** Tells that a script used something that follows the real clock, or real chance. */
export type TellRealClock = (what: string) => void;

// Taken before they are watched.
const { apply, construct } = Reflect;
const { create } = Object;

/** Watches what shows the real clock or draws by chance, and cannot be given the clock of the page. */
export function watchRealSources(tell: TellRealClock): void {
  watchKeys(tell);
  watchConnections(tell);
  watchMeasures(tell);
  watchWaits(tell);
  watchCookies(tell);
  watchClipboardCommands(tell);
  watchFormBodies(tell);
  watchEchoes(tell);
  watchVisibility(tell);
  watchHeaders(() => tell('a header that a server dated by the real clock'));
}

/** Servers say in these when they answered. */
const dated: ReadonlySet<string> = new Set(['age', 'date', 'expires', 'last-modified', 'retry-after', 'server-timing']);

function watchHeaders(told: () => void): void {
  const { prototype } = Headers;
  const { has } = prototype;
  const hasDate = (headers: unknown): boolean => [...dated].some(name => apply(has, headers as Headers, [name]));
  const isDated = (name: unknown): boolean => dated.has(String(name).toLowerCase());
  for (const owner of [prototype, XMLHttpRequest.prototype])
    for (const name of ['get', 'getResponseHeader'])
      replaceMethod(owner, name, (real, self, values) => {
        const value = apply(real, self, values);
        if (value !== null && isDated(values[0])) told();
        return value;
      });
  for (const name of ['entries', 'values', 'forEach', Symbol.iterator] as string[])
    replaceMethod(prototype, name, (real, self, values) => {
      if (hasDate(self)) told();
      return apply(real, self, values);
    });
  replaceMethod(XMLHttpRequest.prototype, 'getAllResponseHeaders', (real, self, values) => {
    const text = apply(real, self, values) as string;
    if (text.split('\n').some(line => isDated(line.split(':', 1)[0]))) told();
    return text;
  });
}

function watchKeys(tell: TellRealClock): void {
  const subtle = prototypeOf('SubtleCrypto');
  const always = ['generateKey', 'encapsulateKey', 'encapsulateBits'];
  for (const name of always) tellOf(subtle, name, () => tell('a key that the browser draws by chance'));
  const salted = /^(RSA-OAEP|RSA-PSS|ECDSA|ML-DSA.*)$/i;
  const watch = (name: string, at: number): void =>
    replaceMethod(subtle, name, (real, self, values) => {
      const given = [...values];
      const [algorithm, named] = withFixedName(given[at]);
      given[at] = algorithm;
      if (salted.test(named)) tell('a signature or cipher that the browser draws by chance');
      return apply(real, self, given.slice(0, values.length));
    });
  watch('sign', 0);
  watch('encrypt', 0);
  watch('wrapKey', 3);
}

/** The algorithm with a name that is read once: a getter may give the browser another one than us. */
function withFixedName(algorithm: unknown): readonly [algorithm: unknown, name: string] {
  const isObject = (typeof algorithm === 'object' && algorithm !== null) || typeof algorithm === 'function';
  if (!isObject) return [algorithm, String(algorithm)];
  const { name } = algorithm as { name?: unknown };
  if (name === undefined) return [create(algorithm, { name: { value: undefined } }), ''];
  const fixed = `${name as string}`;
  return [create(algorithm, { name: { value: fixed } }), fixed];
}

/** Copying and pasting is allowed for a few seconds after a person did something. */
function watchClipboardCommands(tell: TellRealClock): void {
  for (const name of ['execCommand', 'queryCommandEnabled'])
    replaceMethod(Document.prototype, name, (real, self, [command, ...more]) => {
      const fixed = `${command as string}`;
      if (/^(copy|cut|paste)/i.test(fixed))
        tell(`the command ${fixed.slice(0, 20)}, which is allowed by the real clock`);
      return apply(real, self, [fixed, ...more]);
    });
}

/** The browser draws the boundary of a form's parts by chance. */
function watchFormBodies(tell: TellRealClock): void {
  const what = 'a body made of form data, whose boundary the browser draws by chance';
  const header = Headers.prototype.get;
  const isForm = (value: unknown): boolean => value instanceof FormData;
  const watch = (name: 'Request' | 'Response', hasForm: (values: readonly unknown[]) => boolean): void => {
    const Real = globalThis[name] as unknown as new (...values: unknown[]) => Request | Response;
    const headersOf = Object.getOwnPropertyDescriptor(Real.prototype, 'headers')?.get as () => Headers;
    const traps = closedTraps<typeof Real>({
      construct(target, values: unknown[], as) {
        if (hasForm(values)) tell(what);
        const made = construct(target, values, as as typeof Real) as object;
        const type = apply(header, apply(headersOf, made, []), ['content-type']);
        if (type?.includes('WebKitFormBoundary') === true) tell(what);
        return made;
      },
    });
    const value = new Proxy(Real, traps);
    Object.defineProperty(Real.prototype, 'constructor', { value, writable: true, configurable: true });
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
  };
  watch('Request', ([, options]) => isForm((options as { body?: unknown } | null | undefined)?.body));
  watch('Response', ([body]) => isForm(body));
}

/** A server that repeats the form data which it was sent shows the boundary, in a text that a script reads. */
function watchEchoes(tell: TellRealClock): void {
  // Each is looked through once, before a script can have changed it.
  const seen = new WeakSet<object>();
  const [isSeen, see] = [seen.has.bind(seen), seen.add.bind(seen)];
  const note = (value: unknown): void => {
    if (typeof value === 'object' && value !== null) {
      if (isSeen(value)) return;
      see(value);
    }
    if (hasBoundary(value)) tell('an answer that shows the boundary of form data');
  };
  for (const name of ['text', 'json'])
    replaceMethod(Response.prototype, name, (real, self, values) => {
      const answer = apply(real, self, values) as Promise<unknown>;
      answer.then(note, () => undefined);
      return answer;
    });
  for (const name of ['response', 'responseText'])
    replaceGetter(XMLHttpRequest.prototype, name, real => {
      note(real);
      return real;
    });
}

const { getPrototypeOf, values: valuesOf, keys: keysOf } = Object;
const { isArray } = Array;
const plain = Object.prototype;
const boundary = /WebKitFormBoundary/;
const hasMatch = boundary.test.bind(boundary);

/** Whether a text, or one in an object that was read from JSON, has a boundary that the browser drew. Runs nothing of the page. */
function hasBoundary(value: unknown): boolean {
  const left = [value];
  for (let count = 1; count > 0; ) {
    const next = left[--count];
    left.length = count;
    if (typeof next === 'string' && hasMatch(next)) return true;
    if (typeof next !== 'object' || next === null || (!isArray(next) && getPrototypeOf(next) !== plain)) continue;
    for (const part of isArray(next) ? next : [...keysOf(next), ...valuesOf(next)]) left[count++] = part as unknown;
  }
  return false;
}

/** An observer with a delay, or one that looks for what covers an element, is told by the real clock. */
function watchVisibility(tell: TellRealClock): void {
  const Real = IntersectionObserver;
  const read = (name: string): ((observer: object) => unknown) => {
    const get = Object.getOwnPropertyDescriptor(Real.prototype, name)?.get;
    return observer => (get === undefined ? undefined : (apply(get, observer, []) as unknown));
  };
  const [delayOf, isTracking] = [read('delay'), read('trackVisibility')];
  const traps = closedTraps<typeof Real>({
    construct(target, values: [never, never], as) {
      const made = construct(target, values, as as typeof Real) as object;
      if (isTracking(made) === true || Number(delayOf(made) ?? 0) > 0)
        tell('an observer of visibility with a delay of the real clock');
      return made;
    },
  });
  const value = new Proxy(Real, traps);
  Object.defineProperty(Real.prototype, 'constructor', { value, writable: true, configurable: true });
  Object.defineProperty(globalThis, 'IntersectionObserver', { value, writable: true, configurable: true });
}

function tellOf(holder: object | undefined, name: string, told: (values: readonly unknown[]) => void): void {
  replaceMethod(holder, name, (real, self, values) => {
    told(values);
    return apply(real, self, values);
  });
}

function watchConnections(tell: TellRealClock): void {
  const holder = globalThis as unknown as Record<string, (new () => object) | undefined>;
  const Real = holder['RTCPeerConnection'];
  if (Real === undefined) return;
  const what = 'a peer connection, which draws by chance';
  tellOf(Real, 'generateCertificate', () => tell(what));
  const traps = closedTraps<new () => object>({
    construct(target, values: [], as) {
      tell(what);
      return construct(target, values, as as typeof target);
    },
  });
  for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection'])
    if (holder[name] !== undefined)
      Object.defineProperty(globalThis, name, { value: new Proxy(Real, traps), writable: true, configurable: true });
}

const marks: ReadonlySet<string> = new Set(['mark', 'measure']);

/** Marks and measures have the time of the page; entries of the browser have the real one. */
function watchMeasures(tell: TellRealClock): void {
  const what = 'entries of performance show the real clock';
  const entry = prototypeOf('PerformanceEntry');
  const typeOf = Object.getOwnPropertyDescriptor(entry ?? {}, 'entryType')?.get;
  const isReal = (self: unknown): boolean => typeOf === undefined || !marks.has(String(apply(typeOf, self, [])));
  for (const name of ['startTime', 'duration'])
    replaceGetter(entry, name, (real, self) => {
      if (isReal(self)) tell(what);
      return real;
    });
  replaceMethod(entry, 'toJSON', (real, self) => {
    if (isReal(self)) tell(what);
    return apply(real, self, []);
  });
  const timed = ['PerformanceResourceTiming', 'PerformanceNavigationTiming', 'PerformanceEventTiming'];
  for (const name of timed) watchTimes(prototypeOf(name), () => tell(what));
  // A mark of the browser itself can be named as a start or an end.
  const own = new Set(Object.keys(Object.getOwnPropertyDescriptors(prototypeOf('PerformanceTiming') ?? {})));
  replaceMethod(Performance.prototype, 'measure', (real, self, values) => {
    const given = readMeasure(values);
    const [, from, to] = given;
    const named = typeof from === 'object' && from !== null ? Object.values(from) : [from, to];
    if (named.some(name => typeof name === 'string' && own.has(name))) tell(what);
    return apply(real, self, given);
  });
  watchEntryLists(() => tell('entries of performance, which depend on the real clock'));
  // oxlint-disable-next-line no-console -- it has the same member
  for (const holder of [Performance.prototype, console])
    replaceGetter(holder, 'memory', real => {
      tell('the use of memory');
      return real;
    });
}

/** What a measure is given, as the browser will read it: objects become texts once, and getters are read once. */
function readMeasure(values: readonly unknown[]): unknown[] {
  const [name, from, to] = values;
  const markOf = (mark: unknown): unknown =>
    mark === undefined || typeof mark === 'number' ? mark : `${mark as string}`;
  const isOptions = (typeof from === 'object' && from !== null) || typeof from === 'function';
  const ends = to === undefined ? [] : [`${to as string}`];
  const title = values.length === 0 ? [] : [`${name as string}`];
  if (!isOptions) return [...title, ...(values.length < 2 ? [] : [from ?? undefined].map(markOf)), ...ends];
  const { detail, duration, end, start } = from as Record<string, unknown>;
  const read = {
    detail,
    duration: duration === undefined ? undefined : Number(duration),
    end: markOf(end),
    start: markOf(start),
  };
  const given = Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
  return [...title, given, ...ends];
}

/** How many entries of the browser there are depends on how fast it was; marks and measures are the page's. */
function watchEntryLists(told: () => void): void {
  const isOwn = (type: unknown): boolean => marks.has(String(type));
  tellOf(Performance.prototype, 'getEntriesByType', ([type]) => {
    if (!isOwn(type)) told();
  });
  tellOf(Performance.prototype, 'getEntriesByName', ([, type]) => {
    if (!isOwn(type)) told();
  });
  tellOf(prototypeOf('PerformanceObserver'), 'observe', ([options]) => {
    const { type, entryTypes } = (options ?? {}) as { type?: unknown; entryTypes?: unknown };
    const wanted = type === undefined ? (Array.isArray(entryTypes) ? (entryTypes as unknown[]) : [null]) : [type];
    if (!wanted.every(isOwn)) told();
  });
}

/** Members of entries that are times: their names end so. */
function watchTimes(prototype: object | undefined, told: () => void): void {
  const names = Object.keys(Object.getOwnPropertyDescriptors(prototype ?? {}));
  for (const name of names.filter(member => /(start|end|interactive|complete|time)$/i.test(member)))
    replaceGetter(prototype, name, real => {
      if (real !== 0) told();
      return real;
    });
  tellOf(prototype, 'toJSON', told);
}

function watchWaits(tell: TellRealClock): void {
  tellOf(Atomics, 'waitAsync', ([, , , wait]) => {
    if (wait !== undefined && wait !== Infinity) tell('a wait on shared memory ends by the real clock');
  });
  const shows = (owner: string, name: string, what: string): void =>
    replaceGetter(prototypeOf(owner), name, real => {
      if (real !== 0) tell(what);
      return real;
    });
  shows('BaseAudioContext', 'currentTime', 'sound plays on the real clock');
  shows('HTMLMediaElement', 'currentTime', 'media play on the real clock');
  shows('UserActivation', 'isActive', 'what a person did lately ends by the real clock');
  tellOf(prototypeOf('AudioContext'), 'getOutputTimestamp', () => tell('sound plays on the real clock'));
}

/** No episode lasts so long, in seconds. */
const day = 24 * 60 * 60;
const [maxAge, expiry] = [/;\s*max-age\s*=\s*"?(-?\d+)[^;]*/i, /;\s*expires\s*=([^;]*)/i];

/**
 * Cookies end by the real clock. A date is taken for one of the page's clock, and becomes a number of seconds. Cookies that
 * are taken away, or outlast every episode, do not show the clock.
 */
function watchCookies(tell: TellRealClock): void {
  const what = 'a cookie that expires within a day';
  // That of the page's clock.
  const { parse, now } = globalThis.Date;
  const member = Object.getOwnPropertyDescriptor(Document.prototype, 'cookie');
  const set = member?.set;
  const noted = (given: string): string => {
    const end = expiry.exec(given)?.[1];
    const seconds = Number(maxAge.exec(given)?.[1] ?? (parse(end?.trim() ?? '') - now()) / 1000);
    if (Number.isNaN(seconds)) return given;
    if (seconds > 0 && seconds < day) tell(what);
    return `${given.replace(expiry, '').replace(maxAge, '')}; max-age=${Math.max(0, Math.floor(seconds))}`;
  };
  if (member?.configurable === true && set !== undefined)
    Object.defineProperty(Document.prototype, 'cookie', {
      ...member,
      set(this: Document, text: unknown) {
        apply(set, this, [noted(String(text))]);
      },
    });
  tellOf(prototypeOf('CookieStore'), 'set', ([given]) => {
    const { expires = null } = (typeof given === 'object' && given !== null ? given : {}) as { expires?: unknown };
    if (expires !== null && Number(expires) > 0) tell('a cookie that expires at a time of the real clock');
  });
}
