import type { PageTimer, TimeRecord } from './keeper.ts';

export interface TimeOptions {
  /** What the clock of the page says at the start, in milliseconds since 1970. */
  readonly start: number;
  readonly seed: number;
}

/** Gives the page a clock, timers and chance that only we move. Runs in the page, before any script of it. */
// oxlint-disable-next-line max-lines-per-function -- sent to the page as one text
export function installTime({ start, seed }: TimeOptions): void {
  const frame = 16;
  /** A page that goes on for so long within one step does not come to rest. */
  const most = 2000;
  let timers = new Map<number, PageTimer>();
  let [now, order, lastId, chance] = [0, 0, 0, seed | 0];
  const fired = new Set<number>();
  const channel = new MessageChannel();
  let turned: (() => void)[] = [];

  channel.port1.addEventListener('message', () => {
    const waiting = turned;
    turned = [];
    for (const go of waiting) go();
  });
  channel.port1.start();
  const turn = (): Promise<void> =>
    new Promise(resolve => {
      turned.push(resolve);
      channel.port2.postMessage(null);
    });

  function draw(): number {
    chance = (chance + 0x6d2b79f5) | 0;
    let mixed = Math.imul(chance ^ (chance >>> 15), chance | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }

  function set(run: unknown, wait: unknown, kind: Pick<PageTimer, 'every' | 'isFrame' | 'values'>): number {
    const id = ++lastId;
    // A text is a script, as the platform has it.
    const work =
      typeof run === 'function' ? (run as PageTimer['run']) : (new Function(String(run)) as PageTimer['run']);
    const due = kind.isFrame ? now - (now % frame) + frame : now + Math.max(0, Number(wait) || 0);
    const isResolver = work.name === '' && Function.prototype.toString.call(work).includes('[native code]');
    timers.set(id, { id, due, order: ++order, run: work, isResolver, ...kind });
    return id;
  }

  function soonest(): PageTimer | null {
    let first: PageTimer | null = null;
    for (const timer of timers.values()) {
      if (first === null || timer.due < first.due || (timer.due === first.due && timer.order < first.order))
        first = timer;
    }
    return first;
  }

  function fire({ id, due, every, run, values, isFrame, isResolver }: PageTimer): void {
    if (every === null) timers.delete(id);
    else timers.set(id, { ...(timers.get(id) as PageTimer), due: due + Math.max(1, every), order: ++order });
    if (isResolver) fired.add(id);
    try {
      run.apply(globalThis, isFrame ? [now] : [...values]);
    } catch (cause) {
      reportError(cause);
    }
  }

  async function advance(milliseconds: number): Promise<string | null> {
    const until = now + milliseconds;
    for (let count = 0; ; count++) {
      const timer = soonest();
      if (timer === null || timer.due > until) break;
      if (count >= most) return `its timers fired more than ${most} times`;
      now = Math.max(now, timer.due);
      fire(timer);
      await turn();
    }
    now = Math.max(now, until);
    return null;
  }

  function replaceTimers(): void {
    const clear = (id: unknown): void => void timers.delete(Number(id));
    Object.assign(globalThis, {
      setTimeout: (run: unknown, wait?: unknown, ...values: unknown[]) =>
        set(run, wait, { every: null, isFrame: false, values }),
      setInterval: (run: unknown, wait?: unknown, ...values: unknown[]) =>
        set(run, wait, { every: Math.max(1, Number(wait) || 0), isFrame: false, values }),
      requestAnimationFrame: (run: unknown) => set(run, 0, { every: null, isFrame: true, values: [] }),
      requestIdleCallback: (run: unknown) =>
        set(run, 1, { every: null, isFrame: false, values: [{ didTimeout: false, timeRemaining: () => 10 }] }),
      clearTimeout: clear,
      clearInterval: clear,
      cancelAnimationFrame: clear,
      cancelIdleCallback: clear,
    });
  }

  function replaceClock(): void {
    const Real = Date;
    function PageDate(this: unknown, ...values: unknown[]): unknown {
      if (new.target === undefined) return new Real(start + now).toString();
      const given = values.length === 0 ? [start + now] : values;
      return Reflect.construct(Real, given, new.target === PageDate ? Real : new.target);
    }
    PageDate.prototype = Real.prototype;
    Object.assign(PageDate, { now: () => start + now, parse: Real.parse, UTC: Real.UTC });
    Object.defineProperty(Real.prototype, 'constructor', { value: PageDate, writable: true, configurable: true });
    Object.defineProperty(globalThis, 'Date', { value: PageDate, writable: true, configurable: true });
    performance.now = () => now;
  }

  function replaceChance(): void {
    Math.random = () => draw() / 2 ** 32;
    crypto.getRandomValues = <T extends ArrayBufferView | null>(target: T): T => {
      if (target === null) return target;
      const bytes = new Uint8Array(target.buffer, target.byteOffset, target.byteLength);
      for (let index = 0; index < bytes.length; index++) bytes[index] = draw() & 255;
      return target;
    };
    crypto.randomUUID = () => {
      const digits = Array.from({ length: 32 }, () => (draw() & 15).toString(16)).join('');
      const [a, b, c, d] = [digits.slice(0, 8), digits.slice(8, 12), digits.slice(13, 16), digits.slice(17, 20)];
      return `${a as string}-${b as string}-4${c as string}-a${d as string}-${digits.slice(20)}`;
    };
  }

  replaceTimers();
  replaceClock();
  replaceChance();
  globalThis.espalierKeeper.time = {
    now: () => now,
    advance,
    turn,
    next: () => (soonest()?.due ?? Infinity) - now,
    hasFired: id => fired.has(id),
    capture: (): TimeRecord => ({ now, order, lastId, chance, timers: [...timers.values()] }),
    restore(record) {
      ({ now, order, lastId, chance } = record);
      timers = new Map(record.timers.map(timer => [timer.id, timer]));
    },
  };
}
