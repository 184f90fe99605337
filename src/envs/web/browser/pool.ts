import type { Timers } from '../../../core/clock.ts';
import { EspalierError } from '../../../core/errors.ts';
import { createConfinements, runsAsRoot, type BrowserSandbox } from '../containment/confinement.ts';
import { LostError } from './connection.ts';
import { findBrowser } from './find-browser.ts';
import { startHost, type Host, type HostOptions, type Viewport } from './host.ts';
import type { Page } from './page.ts';
import { createTurns } from './turns.ts';

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
  figures(): PoolFigures;
  /** Ends the browser and every page of it. */
  close(): Promise<void>;
}

export interface PoolFigures {
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
  const turns = createTurns(pages);
  const hosts = new Set<Host>();
  const ending = new AbortController();
  const confinements = createConfinements({ isRoot: runsAsRoot(), ...options });
  let current: Promise<Host> | null = null;
  let launches = 0;

  const start = async (): Promise<Host> => {
    launches++;
    const path = findBrowser(options.path);
    return startIn(hosts, { path, timers, patience, contexts, confinements, signal: ending.signal });
  };
  const openSomewhere = async (viewport: Viewport): Promise<Page> => {
    for (;;) {
      if (ending.signal.aborted) throw poolClosed();
      const asked = (current ??= start());
      const forget = (): void => {
        if (current === asked) current = null;
      };
      const host = await asked.catch((cause: unknown) => {
        forget();
        throw cause;
      });
      // Nothing is waited for between the question and the opening: else many would take the last place.
      if (host.isUsable()) return host.open(viewport);
      forget();
      host.retire();
    }
  };

  return {
    async open(viewport, onWait) {
      const leave = await turns.take(onWait);
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
    figures: () => ({
      launches,
      openPages: turns.taken(),
      processes: [...hosts].map(({ pid }) => pid),
      notice: confinements.notice(),
    }),
    async close() {
      ending.abort();
      turns.close(poolClosed());
      await current?.catch(() => null);
      await Promise.all([...hosts].map(({ gone }) => gone));
    },
  };
}

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
