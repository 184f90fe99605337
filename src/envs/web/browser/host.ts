import { inTime, type Timers } from '../../../core/clock.ts';
import { EspalierError } from '../../../core/errors.ts';
import { disposeContext, openContext, watchDownloads, type Context } from './context.ts';
import { launchBrowser, type LaunchOptions } from './launch.ts';
import { createPage, type Page } from './page.ts';
import { guardTargets, holdTargets } from '../containment/targets.ts';

export interface Viewport {
  readonly width: number;
  readonly height: number;
}

export interface HostOptions extends LaunchOptions {
  readonly timers: Timers;
  /** How long any answer of the browser may take, in milliseconds. */
  readonly patience: number;
  /** Contexts that are opened in it, at most. */
  readonly contexts: number;
}

/** A browser and the pages that are open in it. */
export interface Host {
  readonly pid: number;
  /** Whether another page can be opened in it. */
  isUsable(): boolean;
  open(viewport: Viewport): Promise<Page>;
  /** Ends it as soon as no page is open. */
  retire(): void;
  /** Resolves when nothing of it is left. */
  readonly gone: Promise<void>;
}

export async function startHost(options: HostOptions): Promise<Host> {
  const { timers, patience: milliseconds, contexts } = options;
  const browser = await launchBrowser(options);
  const { connection, pid, gone } = browser;
  const count = countPages(contexts, () => void browser.close());
  /** One that does not answer gets no more pages; those that it has say for themselves whether they go on. */
  const answered = <T>(answer: Promise<T>): Promise<T> =>
    inTime(answer, { timers, milliseconds, late: () => new SilentError(milliseconds) }).catch((cause: unknown) => {
      if (cause instanceof SilentError) count.retire();
      throw cause;
    });
  const supply = keepSpare(() => openContext(connection));
  const pageIn = (context: Context): Page => {
    const dispose = async (): Promise<void> => {
      for (const stop of stops) stop();
      // What went with its browser needs no disposing.
      await answered(disposeContext(connection, context)).catch(() => null);
      count.leave();
    };
    const created = createPage({ connection, timers, patience: milliseconds, dispose, ...context });
    const { page, prepare } = created;
    const guard = { report: page.report, prepare, timers, patience: milliseconds, ...context };
    const stops = [guardTargets(connection, guard), watchDownloads(connection, page, context.target)];
    return page;
  };

  try {
    await answered(holdTargets(connection));
  } catch (cause) {
    await browser.close();
    throw cause;
  }
  return {
    pid,
    gone,
    isUsable: () => count.left() > 0 && !connection.isLost(),
    retire: count.retire,
    async open(viewport) {
      count.enter();
      const context = await answered(supply.take()).catch((cause: unknown) => {
        count.leave();
        throw cause;
      });
      const page = await sized(pageIn(context), viewport);
      if (count.left() > 0) supply.prepare();
      return page;
    },
  };
}

async function sized(page: Page, viewport: Viewport): Promise<Page> {
  try {
    await page.send('Emulation.setDeviceMetricsOverride', { ...viewport, deviceScaleFactor: 1, mobile: false });
    return page;
  } catch (cause) {
    await page.close();
    throw cause;
  }
}

interface Spares<T> {
  take(): Promise<T>;
  /** Makes one before it is wanted. */
  prepare(): void;
}

function keepSpare<T>(make: () => Promise<T>): Spares<T> {
  let spare: Promise<T> | null = null;
  return {
    take() {
      const taken = spare ?? make();
      spare = null;
      return taken;
    },
    prepare() {
      if (spare !== null) return;
      spare = make();
      // Whoever takes it hears of it.
      spare.catch(() => null);
    },
  };
}

interface PageCount {
  enter(): void;
  leave(): void;
  retire(): void;
  /** Pages that may still be opened. */
  left(): number;
}

/** Counts the pages of a browser. It is ended when it is to have no more and the last one is closed. */
function countPages(most: number, end: () => void): PageCount {
  let [left, living] = [most, 0];
  const settle = (): void => {
    if (living === 0 && left === 0) end();
  };
  return {
    enter() {
      left--;
      living++;
    },
    leave() {
      living--;
      settle();
    },
    retire() {
      left = 0;
      settle();
    },
    left: () => left,
  };
}

class SilentError extends EspalierError {
  constructor(milliseconds: number) {
    super({
      boundary: 'environment',
      code: 'deadline',
      message: `The browser did not answer in ${milliseconds} ms.`,
      expected: 'Expected a browser that answers; look whether the machine is overloaded or short of memory.',
    });
    this.name = 'SilentError';
  }
}
