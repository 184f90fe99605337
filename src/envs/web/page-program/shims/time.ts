import type { PageTime, PageTimer, TimeRecord } from '../parts.ts';
import { replaceSources } from './clock-sources.ts';
import { forPage } from '../traps.ts';

export interface TimeOptions {
  /** What the clock of the page says at the start, in milliseconds since 1970. */
  readonly start: number;
  readonly seed: number;
}

/** Gives the page a clock, timers and chance that only we move. */
export function createTime({ start, seed }: TimeOptions): PageTime {
  const frame = 16;
  /** A page that goes on for so long within one step does not come to rest. */
  const most = 2000;
  const Real = Promise;
  let timers = new Map<number, PageTimer>();
  let [now, order, lastId, chance] = [0, 0, 0, seed | 0];
  const drawnNames: string[] = [];
  // Taken before they are watched.
  const { port1, port2 } = new MessageChannel();
  const post = port2.postMessage.bind(port2);
  let turned: (() => void)[] = [];

  port1.addEventListener('message', () => {
    const waiting = turned;
    turned = [];
    for (const go of waiting) go();
  });
  port1.start();
  const turn = (): Promise<void> =>
    new Real(resolve => {
      turned.push(resolve);
      post(null);
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
    timers.set(id, { id, due, order: ++order, run: work, ...kind });
    return id;
  }

  function soonest(isWanted: (timer: PageTimer) => boolean): PageTimer | null {
    let first: PageTimer | null = null;
    for (const timer of timers.values()) {
      if (!isWanted(timer)) continue;
      if (first === null || timer.due < first.due || (timer.due === first.due && timer.order < first.order))
        first = timer;
    }
    return first;
  }

  function fire({ id, due, every, run, values, isFrame }: PageTimer): void {
    if (every === null) timers.delete(id);
    else timers.set(id, { ...(timers.get(id) as PageTimer), due: due + Math.max(1, every), order: ++order });
    try {
      run.apply(globalThis, isFrame ? [now] : [...values]);
    } catch (cause) {
      reportError(cause);
    }
  }

  async function advance(milliseconds: number, answered?: () => Promise<void>): Promise<string | null> {
    const until = now + milliseconds;
    for (let count = 0; ; count++) {
      await answered?.();
      const timer = soonest(() => true);
      if (timer === null || timer.due > until) break;
      if (count >= most) return `its timers fired more than ${most} times`;
      now = Math.max(now, timer.due);
      fire(timer);
      await turn();
    }
    now = Math.max(now, until);
    return null;
  }

  const once = { every: null, isFrame: false } as const;

  function replaceTimers(): void {
    const clear = (id: unknown): void => void timers.delete(Number(id));
    const setTimeout = (run: unknown, wait?: unknown, ...values: unknown[]): number =>
      set(run, wait, { ...once, values });
    Object.assign(globalThis, {
      setTimeout,
      setInterval: (run: unknown, wait?: unknown, ...values: unknown[]) =>
        set(run, wait, { every: Math.max(1, Number(wait) || 0), isFrame: false, values }),
      requestAnimationFrame: (run: unknown) => set(run, 0, { every: null, isFrame: true, values: [] }),
      requestIdleCallback: (run: unknown) =>
        set(run, 1, { ...once, values: [forPage({ didTimeout: false, timeRemaining: () => 10 })] }),
      clearTimeout: clear,
      clearInterval: clear,
      cancelAnimationFrame: clear,
      cancelIdleCallback: clear,
    });
    AbortSignal.timeout = milliseconds => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(new DOMException('signal timed out', 'TimeoutError')), milliseconds);
      return controller.signal;
    };
    replaceScheduler(setTimeout);
  }

  function replaceScheduler(setTimeout: (run: unknown, wait?: unknown) => number): void {
    const { scheduler } = globalThis as unknown as { scheduler?: object };
    if (scheduler === undefined) return;
    const soon = (run: () => unknown, wait = 0): Promise<unknown> =>
      new globalThis.Promise((resolve, reject) => {
        setTimeout(() => {
          try {
            resolve(run());
          } catch (cause) {
            reject(cause as Error);
          }
        }, wait);
      });
    Object.assign(Object.getPrototypeOf(scheduler) as object, {
      postTask: (run: () => unknown, { delay = 0 }: { delay?: number } = {}) => soon(run, delay),
      yield: () => soon(() => undefined),
    });
  }

  /** The browser draws a name for each address of a blob, and takes none of ours. */
  function noteDrawnNames(): void {
    const { createObjectURL } = URL;
    URL.createObjectURL = source => {
      const address = createObjectURL.call(URL, source);
      drawnNames.push(address.slice(address.lastIndexOf('/') + 1));
      return address;
    };
  }

  replaceTimers();
  noteDrawnNames();
  replaceSources({ start, wall: () => start + now, now: () => now, draw });
  const until = (timer: PageTimer | null): number => (timer?.due ?? Infinity) - now;
  return {
    now: () => now,
    advance,
    turn,
    drawnNames: () => drawnNames,
    next: () => until(soonest(({ every, isFrame }) => every === null && !isFrame)),
    capture: (): TimeRecord => ({ now, order, lastId, chance, timers: [...timers.values()] }),
    restore(record) {
      ({ now, order, lastId, chance } = record);
      timers = new Map(record.timers.map(timer => [timer.id, timer]));
    },
  };
}
