import type { Pool, PoolClient } from 'pg';
import { EspalierError } from '../../core/errors.ts';
import type { Timers } from '../../core/clock.ts';
import { isPostgres, withoutBlobs } from '../../store/postgres/address.ts';
import { BlobOutage, openBlobs, type BlobStore } from '../../store/postgres/blobs.ts';
import { prepareStore } from '../../store/postgres/files.ts';
import { findKnownStore } from '../../store/postgres/format.ts';
import { prepareTables, queueSchema } from './tables.ts';

/** The database that the members of a fleet meet in. */
export interface FleetDatabase {
  /** With its password, for those who connect by themselves. */
  readonly address: string;
  readonly pool: Pool;
  /** Where large attachments lie; null for the database itself. */
  readonly blobs: BlobStore | null;
  /** Asked again while the database is away, where `retry` was given: what it does twice must be as if done once. */
  query<R>(sql: string, values?: readonly unknown[]): Promise<R[]>;
  /** Does this again while the database is away, where `retry` was given. */
  patiently<T>(work: () => Promise<T>): Promise<T>;
  /** Asked once, whatever comes of it. */
  queryOnce<R>(sql: string, values?: readonly unknown[]): Promise<R[]>;
  /** All or nothing. Tried again as `query` is. */
  transaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T>;
  /** The number of a store with this name, made where there is none. */
  store(name: string): Promise<number>;
  close(): Promise<void>;
}

export interface ConnectOptions {
  readonly address: string;
  /** Connections at once. */
  readonly connections: number;
  /** Waits for a database that is away. Without it, whoever asks hears of it at once. */
  readonly retry?: RetryOptions;
}

const ownsTables = "SELECT has_schema_privilege('espalier', 'CREATE') AS owns";

/** One that never answered is not waited for much longer than one takes to restart: the address may be wrong. */
const startMilliseconds = 30_000;

/** What takes a connection and says nothing for so long may be no Postgres. */
const answerMilliseconds = 15_000;

/** Connects to the database of a fleet, and makes the tables and the queue where there are none. */
export function connectFleet(options: ConnectOptions): Promise<FleetDatabase> {
  const { address, retry } = options;
  if (!isPostgres(address)) return Promise.reject(badAddress(address));
  const connect = (): Promise<FleetDatabase> => connectOnce(options);
  return retry === undefined ? connect() : whenReachable(connect, { ...retry, patience: startMilliseconds });
}

async function connectOnce({ address, connections, retry }: ConnectOptions): Promise<FleetDatabase> {
  const [{ default: pg }, worker] = await packages();
  pg.types.setTypeParser(pg.types.builtins.INT8, Number);
  const place = withoutBlobs(address);
  const blobs = place.blobs === null ? null : await openBlobs(place.blobs);
  const options = {
    connectionString: place.database,
    max: connections,
    idleTimeoutMillis: 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  };
  const pool = new pg.Pool({
    ...options,
    connectionTimeoutMillis: answerMilliseconds,
    application_name: 'espalier fleet',
  });
  // A connection that breaks is replaced by the next one; whoever used it hears of it by its question.
  pool.on('error', () => undefined);
  pool.on('connect', client => client.on('error', () => undefined));
  const patiently = <T>(work: () => Promise<T>): Promise<T> =>
    retry === undefined ? work() : whenReachable(work, retry);
  const queryOnce = async <R>(sql: string, values: readonly unknown[] = []): Promise<R[]> =>
    (await pool.query(sql, [...values])).rows as R[];
  // Making a store takes a connection and a thread of its own: most are there.
  const storeNumber = async (name: string): Promise<number> => {
    const [known] = await queryOnce<{ id: number }>(findKnownStore, [name]).catch(noneWithoutTables);
    return known?.id ?? prepareStore(withStore(address, name));
  };
  const database: FleetDatabase = {
    address,
    pool,
    blobs,
    patiently,
    queryOnce,
    query: <R>(sql: string, values?: readonly unknown[]) => patiently(() => queryOnce<R>(sql, values)),
    transaction: work => patiently(() => inTransaction(pool, work)),
    store: name => patiently(() => storeNumber(name)),
    close: () => pool.end(),
  };
  try {
    // The tables of stores come first: those of fleets lie in the same schema.
    await storeNumber('fleet');
    const [right] = await queryOnce<{ owns: boolean }>(ownsTables);
    // Keys of teams find all of it made.
    if (right?.owns === true) {
      await queryOnce(prepareTables);
      await worker.runMigrations({ pgPool: pool, schema: queueSchema, logger: silent(worker) });
    }
    return database;
  } catch (cause) {
    await pool.end();
    throw cause instanceof EspalierError ? cause : unreachable(address, cause);
  }
}

/** Nobody has made tables here yet. */
function noneWithoutTables(cause: { readonly code?: string }): never[] {
  if (cause.code === undefinedTable || cause.code === invalidSchema) return [];
  throw cause;
}

const [undefinedTable, invalidSchema] = ['42P01', '3F000'];

export function silent({ Logger }: typeof import('graphile-worker')) {
  return new Logger(() => () => undefined);
}

function packages() {
  return Promise.all([import('pg'), import('graphile-worker')]).catch((cause: unknown) => {
    throw new EspalierError({
      boundary: 'input',
      code: 'unavailable',
      message: 'Fleets need packages that are not installed.',
      expected: 'Install them: npm install pg graphile-worker.',
      cause,
    });
  });
}

/** The address of a store in this database. */
function withStore(address: string, name: string): string {
  const url = new URL(address);
  url.searchParams.set('store', name);
  return url.href;
}

async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    const found = await work(client);
    await client.query('COMMIT');
    return found;
  } catch (cause) {
    await client.query('ROLLBACK').catch((fault: Error) => (broken = fault));
    throw cause;
  } finally {
    client.release(broken);
  }
}

/** A name that is not found belongs to a database that a cluster or compose file is starting again. */
const networkOutage = /^(ECONN|EPIPE|ETIMEDOUT|ENETUNREACH|ENETDOWN|EHOSTUNREACH|EHOSTDOWN|ENOTFOUND|EAI_AGAIN)/;

/** Whether the database or the way to it was gone: the same may succeed later. */
export function isOutage(cause: unknown): boolean {
  if (cause instanceof BlobOutage) return true;
  if (cause instanceof EspalierError) return cause.cause !== undefined && isOutage(cause.cause);
  const { code = '', message = '' } = cause as { code?: string; message?: string };
  // Classes 08, 57 and 53: connections, shutdowns and cancelled statements, too few resources. 40: two transactions met. 55P03: a lock in time.
  if (/^(08|57|53|40|55P03)/.test(code) || networkOutage.test(code)) return true;
  return /Connection terminated|connection timeout|timeout exceeded|Client has encountered a connection error|not queryable/i.test(
    message,
  );
}

export interface RetryOptions {
  readonly timers: Timers;
  /** Raised when whoever asks is to stop: then it does not wait for long any more. */
  readonly signal?: AbortSignal;
  onOutage?(cause: unknown): void;
  /** Milliseconds to wait in all; for ever when left out. */
  readonly patience?: number;
}

const [firstPause, longestPause] = [100, 5000];
/** A connection that was cut is replaced by then. */
const stoppingMilliseconds = 1000;

/** Tries again while the database is away. */
export async function whenReachable<T>(work: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { timers, signal, onOutage, patience = Infinity } = options;
  let waited = 0;
  for (let pause = firstPause; ; pause = Math.min(2 * pause, longestPause)) {
    try {
      return await work();
    } catch (cause) {
      const most = signal?.aborted === true ? Math.min(patience, stoppingMilliseconds) : patience;
      if (!isOutage(cause) || waited >= most) throw cause;
      waited += pause;
      onOutage?.(cause);
      await new Promise<void>(resolve => void timers.after(pause, resolve));
    }
  }
}

function badAddress(address: string): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'invalid-option',
    message: `"${address}" is no address of a fleet.`,
    expected:
      'Expected that of a Postgres database, such as postgres://user@host:5432/database. espalier fleet up prints one.',
  });
}

function unreachable(address: string, cause: unknown): EspalierError {
  const { host } = new URL(address);
  const { message = String(cause) } = cause as { message?: string };
  return new EspalierError({
    boundary: 'store',
    code: 'unavailable',
    message: `The database of the fleet at ${host} cannot be used: ${message || (cause as { code?: string }).code}.`,
    expected: 'Expected a Postgres 14 or newer to reach, and the right to make tables in it.',
    cause,
  });
}
