import type { Timers } from '../../../core/clock.ts';
import { EspalierError } from '../../../core/errors.ts';
import { createSemaphore, type Semaphore } from '../../../core/semaphore.ts';
import { createConfinements, runsAsRoot, type BrowserSandbox } from '../containment/confinement.ts';
import { LostError } from './connection.ts';
import { findBrowser } from './find-browser.ts';
import { startHost, type Host, type HostOptions, type Viewport } from './host.ts';
import type { Page } from './page.ts';

export type { Viewport } from './host.ts';

export interface PoolOptions {
  readonly timers: Timers;
  /** The browser program; looked for when it is not given. */
  readonly path?: string | undefined;
  /** Pages that may be open at once; whoever wants more waits. */
  readonly pages?: number;
  /** How long any answer of a page may take, in milliseconds. */
  readonly patience?: number;
  /** A browser is replaced after so many contexts: what each leaves behind adds up. */
  readonly contextsPerBrowser?: number;
  /** Whether the browser may start without its sandbox; unless told, only where we are root. */
  readonly sandbox?: BrowserSandbox | undefined;
  /** Told once when the browser runs without its sandbox. */
  onNotice?(notice: string): void;
}

/** Pages, each in a fresh context, of a browser that is started when the first is wanted and again when it crashed. */
export interface BrowserPool {
  /** Calls `onWait` when all places are taken, and what that gave back when a place was found. */
  open(viewport: Viewport, onWait?: () => () => void): Promise<Page>;
  /**
   * Offers the place of a page that nobody uses. Once somebody wants one, `giveUp` is called, at once where somebody waits: it
   * closes the page. Call what comes back before the page is used again.
   */
  offer(giveUp: () => void): () => void;
  figures(): PoolFigures;
  /** Ends the browser and every page of it. */
  close(): Promise<void>;
}

interface PoolFigures {
  /** Browsers started so far. */
  readonly launches: number;
  readonly openPages: number;
  /** Process ids of the browsers that run. */
  readonly processes: readonly number[];
  /** What its confinement lacks; null when it lacks nothing, or no browser was started. */
  readonly notice: string | null;
}

export function createBrowserPool(options: PoolOptions): BrowserPool {
  const { timers, pages = 16, patience = 10_000, contextsPerBrowser: contexts = 400 } = options;
  const places = createSemaphore(pages);
  const hosts = new Set<Host>();
  const ending = new AbortController();
  const confinements = createConfinements({ isRoot: runsAsRoot(), ...options });
  const offers = createOffers(places);
  let [current, launches]: [Promise<Host> | null, number] = [null, 0];

  const start = async (): Promise<Host> => {
    launches++;
    const own = { path: findBrowser(options.path), signal: ending.signal };
    return startIn(hosts, { ...own, timers, patience, contexts, confinements });
  };
  const openSomewhere = async (viewport: Viewport): Promise<Page> => {
    for (;;) {
      if (ending.signal.aborted) throw poolClosed();
      const asked = (current ??= start());
      const forget = (): void => {
        if (current === asked) current = null;
      };
      asked.catch(forget);
      const host = await asked;
      // Nothing is waited for between the question and the opening: else many would take the last place.
      if (host.isUsable()) return host.open(viewport);
      forget();
      host.retire();
    }
  };

  return {
    async open(viewport, onWait) {
      await places.enter(() => (offers.accept() ? nothing : (onWait?.() ?? nothing)));
      const leave = once(places.leave);
      try {
        const page = await openSomewhere(viewport).catch((cause: unknown) => {
          if (!(cause instanceof LostError)) throw cause;
          return openSomewhere(viewport);
        });
        return { ...page, close: () => page.close().finally(leave) };
      } catch (cause) {
        leave();
        throw ending.signal.aborted ? poolClosed() : cause;
      }
    },
    offer: offers.offer,
    figures: () => ({
      launches,
      openPages: places.taken(),
      processes: [...hosts].map(({ pid }) => pid),
      notice: confinements.notice(),
    }),
    async close() {
      ending.abort();
      places.close(poolClosed());
      await current?.catch(() => null);
      await Promise.all([...hosts].map(({ gone }) => gone));
    },
  };
}

interface Offers extends Pick<BrowserPool, 'offer'> {
  /** Takes a place that was offered; false when there is none. */
  accept(): boolean;
}

function createOffers(places: Semaphore): Offers {
  const offered = new Set<{ giveUp(): void }>();
  return {
    accept() {
      const [first] = offered;
      if (first === undefined) return false;
      offered.delete(first);
      first.giveUp();
      return true;
    },
    offer(giveUp) {
      const own = { giveUp };
      if (places.waiting() > 0) giveUp();
      else offered.add(own);
      return () => void offered.delete(own);
    },
  };
}

/** A page that is closed twice leaves one place. */
function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
}

const nothing = (): void => undefined;

async function startIn(hosts: Set<Host>, options: HostOptions): Promise<Host> {
  const host = await startHost(options);
  options.confinements.announce();
  hosts.add(host);
  void host.gone.then(() => hosts.delete(host));
  return host;
}

function poolClosed(): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'closed',
    message: 'The browser was closed.',
    expected: 'Open the environment again.',
  });
}
