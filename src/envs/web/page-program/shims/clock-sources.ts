import { closedTraps, forPage } from '../traps.ts';

/** A clock and chance that only we move. */
export interface ClockSources {
  /** What the clock of the page said at the start, in milliseconds since 1970. */
  readonly start: number;
  /** Milliseconds since 1970. */
  wall(): number;
  /** Milliseconds since the start. */
  now(): number;
  /** A whole number of 32 bits. */
  draw(): number;
}

type Method = (this: unknown, ...values: unknown[]) => unknown;
type Holder = Record<string, unknown>;

// Taken before they are watched.
const { apply, construct } = Reflect;

/** Replaces what shows the time or draws by chance in this realm. */
export function replaceSources(sources: ClockSources): void {
  replaceDate(sources);
  replacePerformance(sources);
  replaceFormats(sources);
  replaceTemporal(sources);
  replaceFiles(sources);
  replaceEvents(sources);
  replaceChance(sources);
  keepWeakTargets();
}

/** When garbage is collected is chance, so what is held weakly is held as long as the page lives: the language allows that. */
function keepWeakTargets(): void {
  const targets = new Set<unknown>();
  const keep = targets.add.bind(targets);
  const Real = WeakRef;
  const traps = closedTraps<typeof WeakRef>({
    construct(target, values: unknown[], as) {
      const made = construct(target, values, as) as object;
      keep(values[0]);
      return made;
    },
  });
  const PageWeakRef = new Proxy(Real, traps);
  Object.defineProperty(Real.prototype, 'constructor', { value: PageWeakRef, writable: true, configurable: true });
  Object.defineProperty(globalThis, 'WeakRef', { value: PageWeakRef, writable: true, configurable: true });
  replaceMethod(FinalizationRegistry.prototype, 'register', (real, self, values) => {
    apply(real, self, values);
    keep(values[0]);
  });
}

function replaceDate({ wall }: ClockSources): void {
  const RealDate = Date;
  function PageDate(this: unknown, ...values: unknown[]): unknown {
    if (new.target === undefined) return new RealDate(wall()).toString();
    const given = values.length === 0 ? [wall()] : values;
    return construct(RealDate, given, new.target === PageDate ? RealDate : new.target);
  }
  PageDate.prototype = RealDate.prototype;
  Object.defineProperty(PageDate, 'name', { value: 'Date' });
  Object.assign(PageDate, { now: () => wall(), parse: RealDate.parse, UTC: RealDate.UTC });
  Object.defineProperty(RealDate.prototype, 'constructor', { value: PageDate, writable: true, configurable: true });
  Object.defineProperty(globalThis, 'Date', { value: PageDate, writable: true, configurable: true });
}

/** Replaces a getter; the new one is told what the real one gives. */
export function replaceGetter(
  holder: object | undefined,
  name: string,
  give: (real: unknown, self: unknown) => unknown,
): void {
  const member = holder === undefined ? undefined : Object.getOwnPropertyDescriptor(holder, name);
  const real = member?.get;
  if (holder === undefined || member?.configurable !== true || real === undefined) return;
  Object.defineProperty(holder, name, {
    ...member,
    get(this: unknown) {
      return give(apply(real, this, []), this);
    },
  });
}

/** Replaces a method; the new one is given the real one. */
export function replaceMethod(
  holder: object | undefined,
  name: string,
  run: (real: Method, self: unknown, values: unknown[]) => unknown,
): void {
  const member = holder === undefined ? undefined : Object.getOwnPropertyDescriptor(holder, name);
  const real = member?.value as unknown;
  if (holder === undefined || member?.configurable !== true || typeof real !== 'function') return;
  const traps = closedTraps<Method>({ apply: (target, self, values: unknown[]) => run(target, self, values) });
  Object.defineProperty(holder, name, { ...member, value: new Proxy(real as Method, traps) });
}

/** An interface that not every browser has. */
export function prototypeOf(name: string): object | undefined {
  // Older browsers have no global name for it.
  if (name === 'FontFaceSet') return Object.getPrototypeOf(document.fonts) as object;
  const owner = (globalThis as unknown as Holder)[name];
  return typeof owner === 'function' ? (owner.prototype as object) : undefined;
}

function replacePerformance({ start, now }: ClockSources): void {
  const { prototype } = Performance;
  replaceMethod(prototype, 'now', () => now());
  replaceGetter(prototype, 'timeOrigin', () => start);
  const timing = prototypeOf('PerformanceTiming');
  const names = Object.keys(Object.getOwnPropertyDescriptors(timing ?? {}));
  // What has not happened yet is 0.
  for (const name of names) replaceGetter(timing, name, real => (real === 0 ? 0 : start));
  const timesOf = (value: object): Holder =>
    forPage(
      Object.fromEntries(
        names.filter(name => typeof (value as Holder)[name] === 'number').map(name => [name, (value as Holder)[name]]),
      ),
    );
  replaceMethod(timing, 'toJSON', (_, self) => timesOf(self as object));
  replaceMethod(prototype, 'toJSON', (_, self) => {
    const { timeOrigin, timing: times, navigation } = self as Performance;
    return forPage({
      timeOrigin,
      timing: timesOf(times),
      navigation: forPage({ type: navigation.type, redirectCount: navigation.redirectCount }),
    });
  });
  replaceMethod(prototype, 'mark', (real, self, [name, options]) =>
    apply(real, self, [name, { startTime: now(), ...(options as object | undefined) }]),
  );
  replaceMethod(prototype, 'measure', (real, self, values) => apply(real, self, measured(values, now())));
}

/** What a measure is given, so that it ends at the page's time unless its end is said. */
function measured([name, from, to]: readonly unknown[], end: number): unknown[] {
  if (typeof from === 'object' && from !== null)
    return [name, 'end' in from || 'duration' in from ? from : { ...from, end }, ...(to === undefined ? [] : [to])];
  return [name, { start: from ?? 0, end: to ?? end }];
}

function replaceFormats({ wall }: ClockSources): void {
  const { prototype } = Intl.DateTimeFormat;
  const formats = new WeakMap<object, Method>();
  const [known, keep] = [formats.get.bind(formats), formats.set.bind(formats)];
  replaceGetter(prototype, 'format', (real, self) => {
    const made = known(self as object) ?? ((date: unknown) => apply(real as Method, undefined, [nowFor(date)]));
    keep(self as object, made);
    return made;
  });
  // Only `undefined` means now.
  const nowFor = (date: unknown): unknown => (date === undefined ? wall() : date);
  replaceMethod(prototype, 'formatToParts', (real, self, [date]) => apply(real, self, [nowFor(date)]));
}

interface Instant {
  toZonedDateTimeISO(zone: unknown): { toPlainDateTime(): unknown; toPlainDate(): unknown; toPlainTime(): unknown };
}

function replaceTemporal({ wall }: ClockSources): void {
  const { Temporal } = globalThis as unknown as {
    Temporal?: { Now: { timeZoneId(): string }; Instant: { fromEpochMilliseconds(time: number): Instant } };
  };
  if (Temporal === undefined) return;
  const { Now, Instant } = Temporal;
  const from = Instant.fromEpochMilliseconds.bind(Instant);
  const zoneId = Now.timeZoneId.bind(Now);
  const zoned = (zone: unknown): ReturnType<Instant['toZonedDateTimeISO']> =>
    from(Math.floor(wall())).toZonedDateTimeISO(zone === undefined ? zoneId() : zone);
  replaceMethod(Now, 'instant', () => from(Math.floor(wall())));
  replaceMethod(Now, 'zonedDateTimeISO', (_, __, [zone]) => zoned(zone));
  replaceMethod(Now, 'plainDateTimeISO', (_, __, [zone]) => zoned(zone).toPlainDateTime());
  replaceMethod(Now, 'plainDateISO', (_, __, [zone]) => zoned(zone).toPlainDate());
  replaceMethod(Now, 'plainTimeISO', (_, __, [zone]) => zoned(zone).toPlainTime());
}

/** A file has the time of the page, and the document the time of the start: the browser writes the real one into both. */
function replaceFiles({ start, wall }: ClockSources): void {
  const RealFile = File;
  const dated = new WeakSet();
  const [add, has] = [dated.add.bind(dated), dated.has.bind(dated)];
  const traps = closedTraps<typeof File>({
    construct(target, [parts, name, options, ...more]: unknown[], as) {
      const given = [parts, name, { lastModified: wall(), ...(options as object | undefined) }, ...more];
      const file = construct(target, given, as) as File;
      add(file);
      return file;
    },
  });
  const PageFile = new Proxy(RealFile, traps);
  Object.defineProperty(RealFile.prototype, 'constructor', { value: PageFile, writable: true, configurable: true });
  Object.defineProperty(globalThis, 'File', { value: PageFile, writable: true, configurable: true });
  replaceGetter(RealFile.prototype, 'lastModified', (real, self) => (has(self as object) ? real : start));
  replaceGetter(RealFile.prototype, 'lastModifiedDate', (real, self) => (has(self as object) ? real : new Date(start)));
  const at = new Date(start);
  const two = (part: number): string => String(part).padStart(2, '0');
  const day = `${two(at.getMonth() + 1)}/${two(at.getDate())}/${at.getFullYear()}`;
  const shown = `${day} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
  replaceGetter(Document.prototype, 'lastModified', () => shown);
}

function replaceEvents({ now }: ClockSources): void {
  Object.defineProperty(Event.prototype, 'timeStamp', { get: () => now(), configurable: true });
  const numberNow = (real: unknown): unknown => (typeof real === 'number' ? now() : real);
  replaceGetter(prototypeOf('AnimationTimeline'), 'currentTime', numberNow);
  replaceGetter(prototypeOf('IntersectionObserverEntry'), 'time', numberNow);
}

function replaceChance({ draw }: ClockSources): void {
  // Whether somebody is about to type depends on the real clock: nobody ever is.
  replaceMethod(prototypeOf('Scheduling'), 'isInputPending', () => false);
  Math.random = () => draw() / 2 ** 32;
  replaceMethod(Crypto.prototype, 'getRandomValues', (_, __, [target]) => {
    if (target === null) return target;
    const { buffer, byteOffset, byteLength } = target as ArrayBufferView;
    const bytes = new Uint8Array(buffer, byteOffset, byteLength);
    for (let index = 0; index < bytes.length; index++) bytes[index] = draw() & 255;
    return target;
  });
  // Pages without a secure origin are given it as well.
  Object.defineProperty(Crypto.prototype, 'randomUUID', {
    value: () => {
      const digits = Array.from({ length: 32 }, () => (draw() & 15).toString(16)).join('');
      const [a, b, c, d] = [digits.slice(0, 8), digits.slice(8, 12), digits.slice(13, 16), digits.slice(17, 20)];
      return `${a as string}-${b as string}-4${c as string}-a${d as string}-${digits.slice(20)}`;
    },
    writable: true,
    enumerable: true,
    configurable: true,
  });
}
