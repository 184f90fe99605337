import type { Timers } from '../../../../core/clock.ts';
import type { Awaitable } from '../../../../core/contracts.ts';
import type { Page } from '../../browser/page.ts';
import type { Http } from '../../servers/http-pair.ts';
import type { Sql } from '../../servers/store.ts';
import type { PageRequest, ServerState, Site } from '../../sessions/site.ts';
import { cookieText, createCookies, type Cookie } from './cookies.ts';
import type { UrlTask } from './tasks.ts';
import { judge, setUp } from './verdict.ts';

/** What stands behind the page of one session. */
export interface Backend {
  /** The port of this machine that stands for the origin of the page; its own where left out. */
  readonly port?: number | undefined;
  watch?(page: Page): void;
  /** Told of each request before it leaves the page. */
  sending?(request: PageRequest): void;
  capture(): Awaitable<ServerState>;
  restore(state: ServerState): Awaitable<string | null>;
  readonly http: Http;
  readonly sql: Sql;
  close(): Awaitable<void>;
}

export interface UserPage {
  readonly task: UrlTask;
  readonly url: string;
  readonly seed: number;
  readonly timers: Timers;
  readonly backend: Backend;
}

/** Monday morning: dates in the page are told from here. */
export const start = Date.UTC(2026, 1, 2, 9);

interface UserState extends ServerState {
  readonly server: ServerState;
  readonly cookies: readonly Cookie[];
}

/** A page of a user's, with what is behind it and the cookies between the two. */
export function createUserSite({ task, url, seed, timers, backend }: UserPage): Site {
  const { http, sql, sending } = backend;
  const cookies = createCookies();
  return {
    url,
    headers: {},
    port: backend.port,
    start,
    seed,
    async watch(page) {
      cookies.watch(page);
      backend.watch?.(page);
      if (task.init !== undefined)
        await page.send('Page.addScriptToEvaluateOnNewDocument', { source: inMainDocument(task.init) });
    },
    ...(sending === undefined
      ? {}
      : {
          sign: request => {
            sending(request);
            return Promise.resolve({});
          },
        }),
    async capture(): Promise<UserState> {
      const [server, jar] = [await backend.capture(), await cookies.capture()];
      return { text: JSON.stringify([server.text, cookieText(jar)]), steady: server.steady, server, cookies: jar };
    },
    async restore(given) {
      const wanted = given as UserState;
      const refused = await backend.restore(wanted.server);
      if (refused === null) await cookies.restore(wanted.cookies);
      return refused;
    },
    begin: ask => setUp(task, { ask, http, sql, timers }),
    verify: (ending, ask) => judge(task, ending, { ask, http, sql, timers }),
    close: () => backend.close(),
  };
}

/** Frames have documents of their own. */
function inMainDocument(script: string): string {
  return `if (globalThis === globalThis.top) {\n${script}\n}`;
}
