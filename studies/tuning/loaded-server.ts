import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { EspalierError } from '../../src/core/errors.ts';
import { freePort } from '../../src/envs/web/servers/run-server.ts';
import { startPostgresServer, type PostgresServer } from '../../src/system/postgres/server.ts';
import type { Settings } from './knobs.ts';
import type { Observed, ServerKnob } from './skills/skill.ts';
import { findPgbench, type PostgresVersion } from './versions.ts';
import { tables, type Workload } from './workloads.ts';

/** A server of one version with the tables of all workloads, started anew for every measurement. */
export interface LoadedServer {
  catalog(): Promise<ReadonlyMap<string, ServerKnob>>;
  /** Null where it does not start, with what it says. */
  measure(workload: Workload, settings: Settings): Promise<Measured>;
  observe(workload: Workload): Promise<Observed>;
}

type Measured = { readonly rate: number } | { readonly rate: null; readonly why: string };

interface ServerOptions extends PostgresVersion {
  readonly folder: string;
  /** Of a measurement. */
  readonly seconds: number;
}

/** Transactions of each client before the clock starts: the buffers of a fresh server are empty. */
const warmUp = 1;
const mostTries = 4;
const sampleMilliseconds = 40;
const connections = 40;
/** Versions before 15 report what sessions did half a second later. */
const statisticsDelay = 700;

const run = promisify(execFile);
const pause = (milliseconds: number): Promise<void> => new Promise(done => setTimeout(done, milliseconds));

/** Makes the database. */
export async function createLoadedServer({ folder, programs, seconds }: ServerOptions): Promise<LoadedServer> {
  const pgbench = findPgbench();
  const started = async (settings: Settings): Promise<PostgresServer> =>
    startPostgresServer({ folder, programs, host: '127.0.0.1', port: await freePort(), connections, settings });
  const during = async <T>(settings: Settings, work: (address: string) => Promise<T>): Promise<T> => {
    const server = await started(settings);
    try {
      return await work(server.address);
    } finally {
      await server.stop();
    }
  };
  await during({}, async address => {
    for (const sql of tables) await ask(address, sql);
  });
  const load = async (address: string, { name, script, clients, mode }: Workload, length: readonly string[]) => {
    const file = join(folder, `${name}.sql`);
    writeFileSync(file, script);
    const flags = ['-n', '-M', mode, '-c', String(clients), '-j', '2', '-f', file, ...length];
    // A machine that stood still for the whole second says nothing about the settings: it is measured again.
    for (let tries = 1; ; tries++) {
      const { stdout } = await run(pgbench, [...flags, address], { timeout: 120_000 });
      if (tries < mostTries && /actually processed: 0\b/.test(stdout)) continue;
      return { rate: figure(stdout, /^tps = ([\d.]+)/m), milliseconds: figure(stdout, /^latency average = ([\d.]+)/m) };
    }
  };
  const measured = ['-T', String(seconds)];
  return {
    catalog: () => during({}, readCatalog),
    async measure(workload, settings) {
      try {
        return await during(settings, async address => {
          await load(address, workload, ['-t', String(warmUp)]);
          return { rate: (await load(address, workload, measured)).rate };
        });
      } catch (cause) {
        if (cause instanceof EspalierError) return { rate: null, why: cause.message };
        throw cause;
      }
    },
    observe: workload =>
      during({}, async address => {
        await load(address, workload, ['-t', String(warmUp)]);
        await pause(statisticsDelay);
        const before = await counters(address);
        const watched = watchWaits(address);
        const { milliseconds } = await load(address, workload, measured);
        const logWaits = await watched();
        await pause(statisticsDelay);
        const after = await counters(address);
        const [read, hit] = [after.read - before.read, after.hit - before.hit];
        const readShare = read / Math.max(1, read + hit);
        return { milliseconds, temporaryBytes: after.temporary - before.temporary, readShare, logWaits };
      }),
  };
}

function figure(text: string, pattern: RegExp): number {
  const found = Number(pattern.exec(text)?.[1]);
  if (Number.isNaN(found)) throw new Error(`pgbench printed no figure:\n${text}`);
  return found;
}

async function ask<R extends object>(address: string, sql: string): Promise<R[]> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    return (await client.query(sql)).rows as R[];
  } finally {
    await client.end();
  }
}

interface Counters {
  readonly read: number;
  readonly hit: number;
  readonly temporary: number;
}

async function counters(address: string): Promise<Counters> {
  const [row] = await ask<Counters>(
    address,
    'SELECT blks_read::float8 AS read, blks_hit::float8 AS hit, temp_bytes::float8 AS temporary FROM pg_stat_database WHERE datname = current_database()',
  );
  return row as Counters;
}

/** Looks at the clients again and again; the result stops it, and is the share of them that waited for the log. */
function watchWaits(address: string): () => Promise<number> {
  const controller = new AbortController();
  const seen = (async () => {
    const client = new pg.Client({ connectionString: address });
    await client.connect();
    let [all, log] = [0, 0];
    while (!controller.signal.aborted) {
      const { rows } = await client.query<{ wait: string | null }>(
        "SELECT wait_event AS wait FROM pg_stat_activity WHERE application_name = 'pgbench' AND state = 'active'",
      );
      all += rows.length;
      log += rows.filter(({ wait }) => wait !== null && /^wal/i.test(wait)).length;
      await pause(sampleMilliseconds);
    }
    await client.end();
    return log / Math.max(1, all);
  })();
  return () => {
    controller.abort();
    return seen;
  };
}

async function readCatalog(address: string): Promise<ReadonlyMap<string, ServerKnob>> {
  const rows = await ask<ServerKnob>(
    address,
    'SELECT name, boot_val AS initial, unit, vartype AS kind, min_val::float8 AS least, max_val::float8 AS most, enumvals AS choices FROM pg_settings',
  );
  return new Map(rows.map(row => [row.name, row]));
}
