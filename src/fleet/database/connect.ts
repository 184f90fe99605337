import type { Pool, PoolClient } from 'pg';
import { EspalierError } from '../../core/errors.ts';
import type { Timers } from '../../core/clock.ts';
import { isPostgres, withoutBlobs } from '../../store/postgres/address.ts';
import { BlobOutage, openBlobs, type BlobStore } from '../../store/postgres/blobs.ts';
import { prepareStore } from '../../store/postgres/files.ts';
import { prepareTables, queueSchema } from './tables.ts';

/** The database that the members of a fleet meet in. */
export interface FleetDatabase {
  /** With its password, for those who connect by themselves. */
  readonly address: string;
  readonly pool: Pool;
  /** Where large attachments lie; null for the database itself. */
  readonly blobs: BlobStore | null;
  query<R>(sql: string, values?: readonly unknown[]): Promise<R[]>;
  /** All or nothing. */
  transaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T>;
  /** The number of a store with this name, made where there is none. */
  store(name: string): number;
  close(): Promise<void>;
}

export interface ConnectOptions {
  readonly address: string;
  /** Connections at once. */
  readonly connections: number;
}

const ownsTables = "SELECT has_schema_privilege('espalier', 'CREATE') AS owns";

/** Connects to the database of a fleet, and makes the tables and the queue where there are none. */
export async function connectFleet({ address, connections }: ConnectOptions): Promise<FleetDatabase> {
  if (!isPostgres(address)) throw badAddress(address);
  const [{ default: pg }, worker] = await packages();
  pg.types.setTypeParser(pg.types.builtins.INT8, Number);
  const place = withoutBlobs(address);
  const blobs = place.blobs === null ? null : await openBlobs(place.blobs);
  const options = { connectionString: place.database, max: connections, idleTimeoutMillis: 10_000, keepAlive: true };
  const pool = new pg.Pool({ ...options, application_name: 'espalier fleet' });
  // A connection that breaks is replaced by the next one; whoever used it hears of it by its question.
  pool.on('error', () => undefined);
  pool.on('connect', client => client.on('error', () => undefined));
  const database: FleetDatabase = {
    address,
    pool,
    blobs,
    query: async <R>(sql: string, values: readonly unknown[] = []) => (await pool.query(sql, [...values])).rows as R[],
    transaction: work => inTransaction(pool, work),
    store: name => prepareStore(withStore(address, name)),
    close: () => pool.end(),
  };
  try {
    // The tables of stores come first: those of fleets lie in the same schema.
    database.store('fleet');
    const [right] = await database.query<{ owns: boolean }>(ownsTables);
    // Keys of teams find all of it made.
    if (right?.owns === true) {
      await database.query(prepareTables);
      await worker.runMigrations({ pgPool: pool, schema: queueSchema, logger: silent(worker) });
    }
    return database;
  } catch (cause) {
    await pool.end();
    throw cause instanceof EspalierError ? cause : unreachable(address, cause);
  }
}

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

/** Whether the database or the way to it was gone: the same may succeed later. */
export function isOutage(cause: unknown): boolean {
  if (cause instanceof BlobOutage) return true;
  const { code = '', message = '' } = cause as { code?: string; message?: string };
  // Classes 08, 57P and 53: connections, shutdowns, too few resources. 40: two transactions met.
  if (/^(08|57P|53|40)/.test(code) || /^(ECONN|EPIPE|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH)/.test(code)) return true;
  return /Connection terminated|connection timeout|Client has encountered a connection error|not queryable/i.test(
    message,
  );
}

export interface RetryOptions {
  readonly timers: Timers;
  readonly signal?: AbortSignal;
  onOutage?(cause: unknown): void;
}

const [firstPause, longestPause] = [100, 5000];

/** Tries again while the database is away. */
export async function whenReachable<T>(work: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { timers, signal, onOutage } = options;
  for (let pause = firstPause; ; pause = Math.min(2 * pause, longestPause)) {
    try {
      return await work();
    } catch (cause) {
      if (!isOutage(cause) || signal?.aborted === true) throw cause;
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
