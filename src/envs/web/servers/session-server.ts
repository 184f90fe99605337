import { hash } from 'node:crypto';
import { cp, mkdir, rm } from 'node:fs/promises';
import { constants } from 'node:fs';
import { join } from 'node:path';
import type { Timers } from '../../../core/clock.ts';
import { EspalierError } from '../../../core/errors.ts';
import type { AnswerBook } from './answer-book.ts';
import { fillIn, type Declaration } from './declaration.ts';
import { isWrite, openFront, repeat, writeText, type Exchange, type Front } from './front.ts';
import type { Http } from './http-pair.ts';
import type { StoreSession } from './open-store.ts';
import { freePort, startServer, type RunningServer } from './run-server.ts';
import type { Sql, Store, StoreState } from './store.ts';

/** Where pages find the server of their session, whatever port it has: addresses are then the same in every run. */
export const appOrigin = 'http://127.0.0.1';

/** What a server held at one moment, and how it came there. */
export interface SessionServerState {
  readonly text: string;
  /** The writes so far: the same in every replay, where times and names that the server drew are not. */
  readonly steady: string;
  readonly stores: readonly StoreState[];
  readonly log: Log | null;
  /** Why it cannot be restored. */
  readonly unkept: string | null;
}

/** Requests, the last ones first. */
interface Log {
  readonly before: Log | null;
  readonly exchanges: readonly Exchange[];
}

/** The server of one session. */
export interface SessionServer {
  /** Where the page is sent to. */
  readonly port: number;
  readonly folder: string;
  readonly http: Http;
  readonly sql: Sql;
  capture(): Promise<SessionServerState>;
  /** Why it cannot be brought back there, and is as it was; null when it is there. */
  restore(state: SessionServerState): Promise<string | null>;
  /** What it answered otherwise than the servers of other sessions, as far as the state was captured. */
  unsteady(): string | null;
  close(): Promise<void>;
}

export interface SessionServerOptions {
  readonly declaration: Declaration;
  readonly timers: Timers;
  readonly cwd: string;
  readonly seed: number;
  /** A folder of its own, removed when it is closed. */
  readonly scratch: string;
  /** What each session starts with. */
  readonly base: string;
  /** Variables that pin its clock. */
  readonly pinned: Readonly<Record<string, string>>;
  openStores(session: StoreSession): Promise<readonly Store[]>;
  /** Of all sessions of the app. */
  readonly answers: AnswerBook;
}

/** Starts the server of a session on data of its own. */
export async function openSessionServer(options: SessionServerOptions): Promise<SessionServer> {
  const { declaration, timers, scratch } = options;
  const folder = join(scratch, 'folder');
  const port = await freePort();
  const http: Http = (path, init) => fetch(`http://localhost:${port}${path}`, init);
  const values = { port: String(port), folder, seed: String(options.seed), origin: appOrigin };
  await copyFolder(options.base, folder);
  const copies = join(scratch, 'copies');
  await mkdir(copies);
  const stores = await options.openStores({ scratch: copies, http, fill: text => fillIn(text, values) });
  const front = await openFront(timers);
  try {
    const filled = Object.assign({ ...values }, ...stores.map(store => store.values)) as Record<string, string>;
    const start = (): Promise<RunningServer> => startServer(serveOptions(options, port, filled));
    front.to(port);
    const running = createRestartable(await start(), start);
    return serverOf({ ...options, folder, port, stores, front, running });
  } catch (cause) {
    await Promise.all([front.close(), ...stores.map(store => store.close())]);
    await rm(scratch, { recursive: true, force: true });
    throw cause;
  }

  function serveOptions({ cwd, pinned }: SessionServerOptions, at: number, filled: Record<string, string>) {
    const { command, ready, startSeconds } = declaration;
    const fill = (text: string): string => fillIn(text, filled);
    const own = Object.fromEntries(Object.entries(declaration.env).map(([name, value]) => [name, fill(value)]));
    return {
      command: command.map(fill),
      cwd,
      env: { PORT: String(at), HOST: '127.0.0.1', TZ: 'UTC', ...pinned, ...own },
      timers,
      port: at,
      ready,
      startMilliseconds: startSeconds * 1000,
    };
  }
}

interface Restartable {
  ended(): string | null;
  endedSoon(): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
}

function createRestartable(first: RunningServer, open: () => Promise<RunningServer>): Restartable {
  let running = first;
  return {
    ended: () => running.ended(),
    endedSoon: () => running.endedSoon(),
    stop: () => running.close(),
    async start() {
      running = await open();
    },
  };
}

interface Parts extends SessionServerOptions {
  readonly folder: string;
  readonly port: number;
  readonly stores: readonly Store[];
  readonly front: Front;
  readonly running: Restartable;
}

function serverOf(parts: Parts): SessionServer {
  const { declaration, stores, front, running, port, folder, scratch, answers } = parts;
  const repeats = declaration.state === 'requests';
  const record = createRecord();
  // Where its seed is told, other seeds may get other answers.
  const seed = takesSeed(declaration) ? parts.seed : null;
  let unsteady: string | null = null;

  const refuseDead = (): void => {
    const gone = running.ended();
    if (gone !== null) throw died(declaration.command, gone);
  };
  const capture = async (): Promise<SessionServerState> => {
    refuseDead();
    const open = await front.quiet();
    const exchanges = front.take();
    // A connection breaks before the end of the program is told.
    if (exchanges.some(({ isBroken }) => isBroken)) await running.endedSoon();
    refuseDead();
    unsteady ??= answers.compare(JSON.stringify([seed, record.steady()]), exchanges);
    const { log, steady } = record.add(exchanges);
    const held: StoreState[] = [];
    for (const store of stores) held.push(await store.capture());
    const text = JSON.stringify([repeats ? steady : '', ...held.map(state => state.text)]);
    const unkept = open === null ? null : `the server was still answering ${open}`;
    return { text, steady, stores: held, log, unkept };
  };
  return {
    port: front.port,
    folder,
    // Heard like the page: what is asked to prepare a session is part of what led to its state.
    http: (path, init) => fetch(`http://127.0.0.1:${front.port}${path}`, init),
    sql: sqlOf(stores),
    capture,
    unsteady: () => unsteady,
    async restore(wanted) {
      const now = await capture();
      if (wanted.unkept !== null) return wanted.unkept;
      if (now.text === wanted.text) {
        record.set(wanted);
        return null;
      }
      const lost = repeats ? front.unrepeatable() : null;
      if (lost !== null) return `the server was sent ${lost}: that cannot be sent again`;
      if (repeats || declaration.restart) await running.stop();
      if (repeats) await copyFolder(parts.base, folder);
      for (const [index, store] of stores.entries())
        await store.restore(wanted.stores[index] as StoreState, now.stores[index] as StoreState);
      if (repeats || declaration.restart) await running.start();
      if (repeats) await sendAgain(port, wanted.log);
      record.set(wanted);
      return null;
    },
    async close() {
      await Promise.all([front.close(), running.stop()]);
      await Promise.all(stores.map(store => store.close()));
      await rm(scratch, { recursive: true, force: true });
    },
  };
}

type Recorded = Pick<SessionServerState, 'log' | 'steady'>;

/** What the server was asked on the way to its state. */
function createRecord(): {
  steady(): string;
  add(exchanges: readonly Exchange[]): Recorded;
  set(recorded: Recorded): void;
} {
  let [log, steady]: [Log | null, string] = [null, ''];
  return {
    steady: () => steady,
    add(exchanges) {
      if (exchanges.length > 0) log = { before: log, exchanges };
      // Requests that are sent at once arrive in any order.
      const writes = exchanges.filter(({ method }) => isWrite(method)).map(writeText);
      if (writes.length > 0) steady = hash('sha256', JSON.stringify([steady, writes.toSorted()]));
      return { log, steady };
    },
    set(recorded) {
      ({ log, steady } = recorded);
    },
  };
}

function takesSeed({ command, env }: Declaration): boolean {
  return [...command, ...Object.values(env)].some(text => text.includes('{seed}'));
}

async function sendAgain(port: number, log: Log | null): Promise<void> {
  for (const exchange of exchangesOf(log)) {
    const differs = await repeat(port, exchange);
    if (differs !== null) throw new Error(differs);
  }
}

function exchangesOf(log: Log | null): readonly Exchange[] {
  const parts: (readonly Exchange[])[] = [];
  for (let part = log; part !== null; part = part.before) parts.push(part.exchanges);
  return parts.toReversed().flat();
}

function sqlOf(stores: readonly Store[]): Sql {
  return async (query, ...values) => {
    const sql = stores.find(store => store.sql !== undefined)?.sql;
    if (sql === undefined) throw new Error('no database is declared: state has neither sqlite nor postgres');
    return sql(query, ...values);
  };
}

/** Replaces a folder by a copy, which shares the blocks where the file system can. */
async function copyFolder(from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true });
  await cp(from, to, { recursive: true, mode: constants.COPYFILE_FICLONE });
}

function died(command: readonly string[], how: string): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'unavailable',
    message: `The server "${command.join(' ')}" died in the middle of a session: ${how}.`,
    expected: 'Expected a server that runs until the session ends; its last words say why it did not.',
  });
}
