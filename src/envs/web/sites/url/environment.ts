import { resolve } from 'node:path';
import type { Timers } from '../../../../core/clock.ts';
import type { Environment } from '../../../../core/contracts.ts';
import { EspalierError, type ErrorCode } from '../../../../core/errors.ts';
import { createSiteEnvironment, type BrowserOptions } from '../../sessions/site-environment.ts';
import { createUserSite } from './site.ts';
import { createArchive, readArchive, type Archive } from './har.ts';
import { readUrlModule, type PageModule, type UrlTask } from './tasks.ts';
import { createSentWrites, createUndeclaredServer } from './undeclared-server.ts';

export interface UrlOptions extends BrowserOptions {
  /** Where the page is served. */
  readonly url: string;
  /** What the module of its tasks exports. */
  readonly tasks: unknown;
  /** Where the module lies: files in it are told from there; the working folder when left out. */
  readonly root?: string;
  readonly timers: Timers;
}

/** Beyond this machine, a page reaches what its author allows. */
const here: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost']);

/** A page that somebody serves, with tasks and verifiers of their own. What its server holds is theirs to restore. */
export async function createUrlEnvironment(options: UrlOptions): Promise<Environment> {
  const { timers, root = '.' } = options;
  const module = readUrlModule(options.tasks);
  const { href, host, pathname, origin } = readAddress(options.url, module.allow);
  const archive = openArchive(module, root, () => true);
  // One server for all sessions: what one writes, the others see.
  const sent = createSentWrites();
  const keepsNothing = module.server?.state === 'none' || isPlayed(module);
  return createSiteEnvironment(
    {
      id: ['page', ...(`${host}${pathname}`.toLowerCase().match(/[a-z0-9]+/g) ?? [])].join('-'),
      title: href,
      ...tasksOf(module.tasks),
      openSite: async ({ template, seed }) => {
        const backend = createUndeclaredServer(origin, sent);
        const { watch: _watch, sending: _sending, ...untold } = backend;
        return createUserSite({
          module,
          root,
          task: taskOf(module.tasks, template),
          url: href,
          seed,
          timers,
          backend: keepsNothing ? untold : backend,
          archive: archive?.open() ?? null,
        });
      },
      close: async () => archive?.close(),
    },
    options,
  );
}

/** Whether no server is asked: a recording answers the same whatever it is sent. */
function isPlayed({ har }: PageModule): boolean {
  return har !== undefined && !har.record;
}

/** The recording that a module names, for the origins that it covers. */
export function openArchive({ har }: PageModule, root: string, covers: (origin: string) => boolean): Archive | null {
  if (har === undefined) return null;
  const file = resolve(root, har.file);
  return har.record ? createArchive(file, covers) : readArchive(file, covers);
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

function readAddress(text: string, allowed: readonly string[]): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw badAddress('invalid-option', `"${text}" is not the address of a page.`);
  if (!here.has(url.hostname) && !allowed.includes(url.origin))
    throw badAddress('unsupported', `${url.origin} is out of reach: it is not of this machine.`);
  return url;
}

function badAddress(code: ErrorCode, message: string): EspalierError {
  const expected = 'Expected one such as http://127.0.0.1:3000/, or an origin that the module allows: allow: [origin].';
  return new EspalierError({ boundary: 'input', code, message, expected });
}
