import type { Timers } from '../../../../core/clock.ts';
import type { Environment } from '../../../../core/contracts.ts';
import { EspalierError, type ErrorCode } from '../../../../core/errors.ts';
import type { Site } from '../../sessions/site.ts';
import { createSiteEnvironment, type BrowserOptions } from '../../sessions/site-environment.ts';
import { readUrlTasks, type UrlTask } from './tasks.ts';
import { judge, setUp } from './verdict.ts';

export interface UrlOptions extends BrowserOptions {
  /** Where the page is served. */
  readonly url: string;
  /** What the module of its tasks exports, as `urlTasksSchema` has it. */
  readonly tasks: unknown;
  readonly timers: Timers;
}

/** Monday morning: dates in the page are told from here. */
const start = Date.UTC(2026, 1, 2, 9);
/** All that the browser lets its pages reach. */
const reachable: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost']);

/** A page that somebody serves, with tasks and verifiers of their own. What its server holds is theirs to restore. */
export async function createUrlEnvironment(options: UrlOptions): Promise<Environment> {
  const { href, host, pathname } = readAddress(options.url);
  const tasks = new Map(readUrlTasks(options.tasks).map(task => [task.id, task]));
  return createSiteEnvironment(
    {
      id: ['page', ...(`${host}${pathname}`.toLowerCase().match(/[a-z0-9]+/g) ?? [])].join('-'),
      suite: 'page',
      title: href,
      tasks: [...tasks.values()].map(({ id, instruction, steps }) => ({
        template: id,
        about: instruction,
        steps,
        instruction: () => Promise.resolve(instruction),
      })),
      openSite: async ({ template, seed }) => siteOf(tasks.get(template) as UrlTask, { ...options, url: href, seed }),
      close: () => Promise.resolve(),
    },
    options,
  );
}

interface Served {
  readonly url: string;
  readonly seed: number;
  readonly timers: Timers;
}

function siteOf(task: UrlTask, { url, seed, timers }: Served): Site {
  return {
    url,
    headers: {},
    start,
    seed,
    // What a server holds that nobody asked us to keep cannot be restored.
    keeps: false,
    capture: () => ({ text: '' }),
    restore: () => undefined,
    begin: ask => setUp(task, { ask, timers }),
    verify: (ending, ask) => judge(task, ending, { ask, timers }),
    close: () => undefined,
  };
}

function readAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw badAddress('invalid-option', `"${text}" is not the address of a page.`);
  if (!reachable.has(url.hostname))
    throw badAddress(
      'unsupported',
      `${url.hostname} is out of reach: the browser resolves no other names than those of this machine.`,
    );
  return url;
}

function badAddress(code: ErrorCode, message: string): EspalierError {
  const expected = 'Expected one such as http://127.0.0.1:3000/, of a server on this machine.';
  return new EspalierError({ boundary: 'input', code, message, expected });
}
