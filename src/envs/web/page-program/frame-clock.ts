import { replaceSources, type ClockSources } from './shims/clock-sources.ts';
import { watchRealSources, type TellRealClock } from './real-sources.ts';

type Timer = (run: unknown, wait?: unknown, ...values: unknown[]) => number;
type MainRealm = Window & typeof globalThis;

const timers = ['setTimeout', 'setInterval', 'requestAnimationFrame', 'requestIdleCallback'] as const;
const cancels = ['clearTimeout', 'clearInterval', 'cancelAnimationFrame', 'cancelIdleCallback'] as const;

/** Gives a frame the clock, the timers and the chance of the page around it; tells of what it uses where that is another origin. */
export function startFrameClock(start: number, tell: TellRealClock): void {
  watchRealSources(tell);
  const main = mainRealm();
  if (main === null) return tellOfFrame(start, tell);
  const { Date: MainDate, performance: mainPerformance, Math: mainMath } = main;
  replaceSources({
    start,
    wall: () => MainDate.now(),
    now: () => mainPerformance.now(),
    draw: () => Math.floor(mainMath.random() * 2 ** 32),
  });
  for (const name of timers) replaceTimer(name, main[name].bind(main) as Timer);
  for (const name of cancels) Object.assign(globalThis, { [name]: main[name].bind(main) });
  tellOfTasks(tell);
}

/** The realm of the page; null when the frame may not look into it. */
function mainRealm(): MainRealm | null {
  try {
    const main = globalThis.top as MainRealm | null;
    return main === null || typeof main.Date !== 'function' ? null : main;
  } catch {
    return null;
  }
}

function replaceTimer(name: (typeof timers)[number], set: Timer): void {
  const own = globalThis;
  const { document } = own;
  const evaluate = own.eval;
  Object.assign(own, {
    [name]: (run: unknown, ...more: [unknown?, ...unknown[]]) =>
      set(
        (...values: unknown[]) => {
          // A frame that was taken out runs nothing any more.
          if (document.defaultView === null) return;
          if (typeof run === 'function') Reflect.apply(run, own, values);
          else evaluate(String(run));
        },
        ...more,
      ),
  });
}

/** Waits of a frame that are not made of timers. */
function tellOfTasks(tell: TellRealClock): void {
  const { scheduler } = globalThis as unknown as { scheduler?: object };
  const told =
    (real: (...values: unknown[]) => unknown) =>
    (...values: unknown[]): unknown => {
      tell('a frame waits on the real clock');
      return real(...values);
    };
  AbortSignal.timeout = told(AbortSignal.timeout.bind(AbortSignal) as never) as typeof AbortSignal.timeout;
  const tasks = scheduler as Record<'postTask' | 'yield', (...values: unknown[]) => unknown> | undefined;
  if (tasks !== undefined)
    Object.assign(Object.getPrototypeOf(tasks) as object, { postTask: told(tasks.postTask.bind(tasks)) });
}

/** The frame keeps the real clock: whoever uses it is told of. */
function tellOfFrame(start: number, tell: TellRealClock): void {
  const [realNow, since, random] = [Date.now, performance.now.bind(performance), Math.random];
  const using = <T>(read: () => T): T => {
    tell('a frame of another origin uses the real clock or chance');
    return read();
  };
  const sources: ClockSources = {
    start,
    wall: () => using(() => realNow()),
    now: () => using(() => since()),
    draw: () => using(() => Math.floor(random() * 2 ** 32)),
  };
  replaceSources(sources);
  for (const name of timers) {
    const real = globalThis[name].bind(globalThis) as Timer;
    Object.assign(globalThis, { [name]: (...values: Parameters<Timer>) => using(() => real(...values)) });
  }
  tellOfTasks(tell);
}
