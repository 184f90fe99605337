import type { Timers } from '../../../../core/clock.ts';
import type { Awaitable } from '../../../../core/contracts.ts';
import type { Page } from '../../browser/page.ts';
import type { Http } from '../../servers/http-pair.ts';
import type { Sql } from '../../servers/store.ts';
import type { Ask, PageRequest, ServerState, Site } from '../../sessions/site.ts';
import { cookieText, createCookies, type Cookie } from './cookies.ts';
import type { SessionAnswers } from './har.ts';
import { signedOut, signIn } from './login.ts';
import type { PageModule, UrlTask } from './tasks.ts';
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
  /** What the server answered otherwise than in other sessions. */
  unsteady?(): string | null;
  readonly http: Http;
  readonly sql: Sql;
  close(): Awaitable<void>;
}

export interface UserPage {
  readonly module: PageModule;
  /** Where the module lies. */
  readonly root: string;
  readonly task: UrlTask;
  readonly url: string;
  readonly seed: number;
  readonly timers: Timers;
  readonly backend: Backend;
  /** Where answers are recorded, or come from. */
  readonly archive: SessionAnswers | null;
}

/** Monday morning: dates in the page are told from here. */
export const start = Date.UTC(2026, 1, 2, 9);

interface UserState extends ServerState {
  readonly server: ServerState;
  readonly answered: string;
  readonly cookies: readonly Cookie[];
}

/** A page of a user's, with what is behind it and the cookies between the two. */
export function createUserSite(options: UserPage): Site {
  const { module, task, url, seed, timers, backend, archive } = options;
  const { http, sql, sending } = backend;
  const cookies = createCookies();
  let hasLoaded = (): Promise<void> => Promise.resolve();

  return {
    url,
    headers: module.headers,
    allow: module.allow,
    answers: archive?.answers,
    port: backend.port,
    start,
    seed,
    async watch(page) {
      cookies.watch(page);
      backend.watch?.(page);
      if (module.storageState !== undefined) hasLoaded = await signIn(page, loginOf(options, module.storageState));
      if (task.init === undefined) return;
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
    unsteady: backend.unsteady,
    async capture(): Promise<UserState> {
      const [server, jar, answered] = [await backend.capture(), await cookies.capture(), archive?.capture() ?? ''];
      const text = JSON.stringify([server.text, answered, cookieText(jar)]);
      return { text, steady: server.steady, server, answered, cookies: jar };
    },
    async restore(given) {
      const wanted = given as UserState;
      const refused = await backend.restore(wanted.server);
      if (refused !== null) return refused;
      archive?.restore(wanted.answered);
      await cookies.restore(wanted.cookies);
      return null;
    },
    async begin(ask) {
      await hasLoaded();
      await setUp(task, { ask, http, sql, timers });
    },
    // What a page shows that nobody is signed in to tells nothing of the task.
    isOver: async ask => refuseSignedOut(ask, module.signedIn),
    verify: (ending, ask) => judge(task, ending, { ask, http, sql, timers }),
    close: () => backend.close(),
  };
}

function loginOf({ root, url, backend: { http } }: UserPage, source: NonNullable<PageModule['storageState']>) {
  return { source, root, http, origin: new URL(url).origin };
}

/** Asked whenever the page is at rest. */
async function refuseSignedOut(ask: Ask, signedIn: string | undefined): Promise<false> {
  if (signedIn === undefined || Boolean(await ask(signedIn))) return false;
  throw signedOut(`"${signedIn}" does not hold`);
}

/** Frames have documents of their own. */
function inMainDocument(script: string): string {
  return `if (globalThis === globalThis.top) {\n${script}\n}`;
}
