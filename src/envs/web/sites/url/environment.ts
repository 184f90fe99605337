import type { Timers } from '../../../../core/clock.ts';
import type { Environment } from '../../../../core/contracts.ts';
import { EspalierError, type ErrorCode } from '../../../../core/errors.ts';
import { createSiteEnvironment, type BrowserOptions } from '../../sessions/site-environment.ts';
import { createUserSite } from './site.ts';
import { readUrlModule, type UrlTask } from './tasks.ts';
import { createSentWrites, createUndeclaredServer } from './undeclared-server.ts';

export interface UrlOptions extends BrowserOptions {
  /** Where the page is served. */
  readonly url: string;
  /** What the module of its tasks exports. */
  readonly tasks: unknown;
  readonly timers: Timers;
}

/** All that the browser lets its pages reach. */
const reachable: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost']);

/** A page that somebody serves, with tasks and verifiers of their own. What its server holds is theirs to restore. */
export async function createUrlEnvironment(options: UrlOptions): Promise<Environment> {
  const { timers } = options;
  const { href, host, pathname, origin } = readAddress(options.url);
  const module = readUrlModule(options.tasks);
  // One server for all sessions: what one writes, the others see.
  const sent = createSentWrites();
  const keepsNothing = module.server?.state === 'none';
  return createSiteEnvironment(
    {
      id: ['page', ...(`${host}${pathname}`.toLowerCase().match(/[a-z0-9]+/g) ?? [])].join('-'),
      title: href,
      ...tasksOf(module.tasks),
      openSite: async ({ template, seed }) => {
        const backend = createUndeclaredServer(origin, keepsNothing ? createSentWrites() : sent);
        const { watch: _watch, sending: _sending, ...untold } = backend;
        const task = taskOf(module.tasks, template);
        return createUserSite({ task, url: href, seed, timers, backend: keepsNothing ? untold : backend });
      },
      close: () => Promise.resolve(),
    },
    options,
  );
}

/** The tasks of a module. Their splits are the same wherever the page is served. */
export function tasksOf(tasks: readonly UrlTask[]) {
  return {
    suite: 'page',
    tasks: tasks.map(({ id, instruction, steps }) => ({
      template: id,
      about: instruction,
      steps,
      instruction: () => Promise.resolve(instruction),
    })),
  };
}

export function taskOf(tasks: readonly UrlTask[], template: string): UrlTask {
  return tasks.find(({ id }) => id === template) as UrlTask;
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
