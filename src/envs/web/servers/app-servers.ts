import { globSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Timers } from '../../../core/clock.ts';
import { causeText, EspalierError } from '../../../core/errors.ts';
import { createAnswerBook } from './answer-book.ts';
import { fillIn, type Declaration, type StoreDeclaration } from './declaration.ts';
import { createStoreSource, type StoreSource } from './open-store.ts';
import { runProgram } from './run-server.ts';
import { appOrigin, openSessionServer, type SessionServer } from './session-server.ts';

/** The servers of an app: one for each session, all with the same start. */
export interface AppServers {
  open(seed: number): Promise<SessionServer>;
  /** Ends those that were given up without being closed, too. */
  close(): Promise<void>;
}

export interface AppServersOptions {
  readonly declaration: Declaration;
  /** The folder of the module: paths are told from there. */
  readonly root: string;
  /** What the clock of the page says at the start, in milliseconds since 1970. */
  readonly start: number;
  readonly timers: Timers;
}

export function createAppServers(options: AppServersOptions): AppServers {
  const { declaration, root, timers } = options;
  const cwd = resolve(root, declaration.cwd ?? '.');
  const sources = storesIn(declaration).map(store => createStoreSource(store, { cwd, timers }));
  const open = new Set<SessionServer>();
  const answers = createAnswerBook();
  let base: Promise<string> | null = null;

  const start = async (seed: number): Promise<SessionServer> => {
    const made = await (base ??= makeBase(options, sources, cwd));
    const pinned = pinnedClock(options);
    const scratch = await mkdtemp(join(tmpdir(), 'espalier-server-'));
    return openSessionServer({
      declaration,
      timers,
      cwd,
      seed,
      scratch,
      base: made,
      pinned,
      openStores: session => Promise.all(sources.map(source => source.open(session))),
      answers,
    });
  };
  return {
    async open(seed) {
      // Somebody may take a free port before the server does.
      const server = await start(seed).catch((cause: unknown) => {
        if (/EADDRINUSE|address already in use/i.test(causeText(cause))) return start(seed);
        throw cause;
      });
      open.add(server);
      const close = async (): Promise<void> => {
        open.delete(server);
        await server.close();
      };
      return { ...server, close };
    },
    async close() {
      await Promise.all([...open].map(server => server.close()));
      await Promise.all(sources.map(source => source.close()));
      const made = await base?.catch(() => null);
      if (typeof made === 'string') await rm(made, { recursive: true, force: true });
    },
  };
}

function storesIn({ state }: Declaration): readonly StoreDeclaration[] {
  if (typeof state === 'string') return [];
  return Array.isArray(state) ? state : [state];
}

/** The folder that each session starts with: a copy of the declared one, brought to its start. */
async function makeBase(
  { declaration, root, timers }: AppServersOptions,
  sources: readonly StoreSource[],
  cwd: string,
): Promise<string> {
  const { reset } = declaration;
  const folder = await mkdtemp(join(tmpdir(), 'espalier-base-'));
  try {
    if (declaration.folder !== undefined) await cp(resolve(root, declaration.folder), folder, { recursive: true });
    if (reset === undefined) return folder;
    const values = { folder, origin: appOrigin };
    for (const source of sources) Object.assign(values, await source.base());
    const fill = (text: string): string => fillIn(text, values);
    const own = Object.entries(declaration.env).map(([name, value]) => [name, fill(value)]);
    const env = { TZ: 'UTC', ...(Object.fromEntries(own) as Record<string, string>) };
    if (Array.isArray(reset)) await runProgram({ command: reset.map(fill), cwd, env, timers });
    else await reset({ folder, env });
    return folder;
  } catch (cause) {
    await rm(folder, { recursive: true, force: true });
    if (cause instanceof EspalierError) throw cause;
    throw new EspalierError({
      boundary: 'environment',
      code: 'template-failed',
      message: `The data of the server could not be brought to its start: ${causeText(cause)}.`,
      expected: 'Expected a folder that can be copied, and a reset that does not throw.',
      cause,
    });
  }
}

/** Where libfaketime lies on Linux. */
const libraries = ['/usr/lib/*/faketime/libfaketime.so.1', '/usr/lib*/faketime/libfaketime.so.1'];

/** Variables with which the clock of a program stands still at the start of the page's. */
function pinnedClock({ declaration, start }: AppServersOptions): Readonly<Record<string, string>> {
  if (declaration.clock === undefined) return {};
  const [library] = globSync(libraries);
  if (library === undefined)
    throw new EspalierError({
      boundary: 'environment',
      code: 'unavailable',
      message: 'The clock of the server cannot be pinned: libfaketime is not installed.',
      expected: 'Install it (apt-get install libfaketime), or leave out clock.',
    });
  const time = new Date(start).toISOString().slice(0, 19).replace('T', ' ');
  return { LD_PRELOAD: library, FAKETIME: time, FAKETIME_DONT_FAKE_MONOTONIC: '1' };
}
