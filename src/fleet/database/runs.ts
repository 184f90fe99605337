import type { PoolClient } from 'pg';
import type { WorkerNeeds } from '../../runs/host/fleet.ts';
import type { PoolRequest } from '../../runs/host/pool.ts';
import type { FleetDatabase } from './connect.ts';
import { countJobs, keysOf, queueFront, removeJobs } from './queue.ts';

type RunState = 'running' | 'paused' | 'cancelled' | 'done';

/** A run in the database of a fleet. */
export interface RunRow {
  readonly id: number;
  readonly name: string;
  readonly store: number;
  readonly storeName: string;
  readonly version: string;
  readonly job: PoolRequest;
  readonly certifies: boolean;
  readonly needs: WorkerNeeds;
  readonly state: RunState;
  readonly priority: number;
  readonly base: Date;
  /** Heads of the plan that are in the queue or done. */
  readonly walked: number;
}

type StoredRun = Omit<RunRow, 'job'> & { readonly job: string };

const runColumns = `id, name, store, store_name AS "storeName", version, job, certifies, needs, state, priority,
  base, walked`;

export interface NewRun {
  readonly name: string;
  /** Digest of what it does. */
  readonly identity: string;
  readonly version: string;
  readonly job: PoolRequest;
  readonly certifies: boolean;
  readonly needs: WorkerNeeds;
}

/**
 * Makes a run, or finds the one that does the same. Where nothing of it waits any more its plan is walked from the start: what is
 * done is left out.
 */
export async function openFleetRun(database: FleetDatabase, run: NewRun): Promise<RunRow> {
  const { name, identity, version, job, certifies, needs } = run;
  const storeName = `${name}-${identity.slice(0, 12)}`;
  const store = database.store(storeName);
  return database.transaction(async client => {
    const values = [identity, name, store, storeName, version, JSON.stringify(job), certifies, needs];
    await client.query(
      `INSERT INTO espalier.fleet_runs (identity, name, store, store_name, version, job, certifies, needs, base)
       SELECT $1, $2, $3, $4, $5, $6, $7, $8, base FROM (${queueFront}) AS front ON CONFLICT (identity) DO NOTHING`,
      values,
    );
    const { id, walked, state, version: before } = await findLocked(client, identity);
    // Jobs of another version would wait for workers of that version.
    if (before !== version) await client.query(removeJobs, [keysOf(id)]);
    const { rows } = await client.query<{ all: number }>(countJobs, [keysOf(id)]);
    const isBegunAnew = before !== version || state === 'cancelled' || (walked > 0 && rows[0]?.all === 0);
    await client.query(
      `UPDATE espalier.fleet_runs SET state = 'running', version = $2, walked = CASE WHEN $3 THEN 0 ELSE walked END
       WHERE id = $1`,
      [id, version, isBegunAnew],
    );
    return findLocked(client, identity);
  });
}

async function findLocked(client: PoolClient, identity: string): Promise<RunRow> {
  const { rows } = await client.query<StoredRun>(
    `SELECT ${runColumns} FROM espalier.fleet_runs WHERE identity = $1 FOR UPDATE`,
    [identity],
  );
  return read(rows[0] as StoredRun);
}

export async function findRun(database: FleetDatabase, id: number): Promise<RunRow | null> {
  const [row] = await database.query<StoredRun>(`SELECT ${runColumns} FROM espalier.fleet_runs WHERE id = $1`, [id]);
  return row === undefined ? null : read(row);
}

function read({ job, ...row }: StoredRun): RunRow {
  return { ...row, job: JSON.parse(job) as PoolRequest };
}

/** Ends a run early: what no worker has begun is taken back. It can be gone on with. */
export async function cancelRun(database: FleetDatabase, id: number): Promise<void> {
  await database.transaction(async client => {
    await client.query("UPDATE espalier.fleet_runs SET state = 'cancelled' WHERE id = $1", [id]);
    await client.query(removeJobs, [keysOf(id)]);
  });
}
