import type { PoolClient } from 'pg';
import type { WorkerNeeds } from '../../runs/host/fleet.ts';
import type { PoolRequest } from '../../runs/host/pool.ts';
import { invalidOption, type EspalierError } from '../../core/errors.ts';
import { connectFleet, type FleetDatabase } from './connect.ts';
import type { CarriedFiles } from './carried-files.ts';
import { countJobs, keysOf, pauseJobs, queueFront, rankJobs, rankOf, removeJobs, resumeJobs } from './queue.ts';

type RunState = 'running' | 'paused' | 'cancelled' | 'done';

/** A run in the database of a fleet. */
export interface RunRow {
  readonly id: number;
  readonly name: string;
  readonly store: number;
  readonly storeName: string;
  readonly version: string;
  readonly job: PoolRequest;
  /** Files that the job names, in base64, by path. */
  readonly files: CarriedFiles;
  readonly certifies: boolean;
  readonly needs: WorkerNeeds;
  readonly state: RunState;
  readonly priority: number;
  readonly base: Date;
  /** Heads of the plan that are in the queue or done. */
  readonly walked: number;
}

type StoredRun = Omit<RunRow, 'job' | 'files'> & { readonly job: string; readonly files: string };

const runColumns = `id, name, store, store_name AS "storeName", version, job, files, certifies, needs, state,
  priority, base, walked`;

export interface NewRun {
  readonly name: string;
  /** Digest of what it does. */
  readonly identity: string;
  readonly version: string;
  readonly job: PoolRequest;
  readonly files: CarriedFiles;
  readonly certifies: boolean;
  readonly needs: WorkerNeeds;
  /** Runs with a higher one come first. */
  readonly priority: number;
}

/**
 * Makes a run, or finds the one that does the same. Where nothing of it waits any more its plan is walked from the start: what is
 * done is left out.
 */
export async function openFleetRun(database: FleetDatabase, run: NewRun): Promise<RunRow> {
  const { name, identity, version, certifies, needs, priority } = run;
  const [job, files] = [JSON.stringify(run.job), JSON.stringify(run.files)];
  const storeName = `${name}-${identity.slice(0, 12)}`;
  const store = await database.store(storeName);
  return database.transaction(async client => {
    const values = [identity, name, store, storeName, version, job, files, certifies, needs, priority];
    await client.query(
      `INSERT INTO espalier.fleet_runs (identity, name, store, store_name, version, job, files, certifies, needs, priority, base)
       SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, base FROM (${queueFront}) AS front ON CONFLICT (identity) DO NOTHING`,
      values,
    );
    const { id, walked, state, version: before, priority: earlier } = await findLocked(client, identity);
    // Jobs of another version would wait for workers of that version.
    if (before !== version) await client.query(removeJobs, [keysOf(id)]);
    if (earlier !== priority) await client.query(rankJobs, [keysOf(id), rankOf(priority)]);
    const { rows } = await client.query<{ all: number }>(countJobs, [keysOf(id)]);
    const isBegunAnew = before !== version || state === 'cancelled' || (walked > 0 && rows[0]?.all === 0);
    await client.query(
      `UPDATE espalier.fleet_runs SET version = $2, priority = $4,
         state = CASE WHEN state = 'paused' THEN state ELSE 'running' END,
         walked = CASE WHEN $3 THEN 0 ELSE walked END
       WHERE id = $1`,
      [id, version, isBegunAnew, priority],
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

export async function stateOf(database: FleetDatabase, id: number): Promise<RunState> {
  const [row] = await database.query<{ state: RunState }>('SELECT state FROM espalier.fleet_runs WHERE id = $1', [id]);
  return row?.state ?? 'cancelled';
}

export async function findRun(database: FleetDatabase, id: number): Promise<RunRow | null> {
  const [row] = await database.query<StoredRun>(`SELECT ${runColumns} FROM espalier.fleet_runs WHERE id = $1`, [id]);
  return row === undefined ? null : read(row);
}

function read({ job, files, ...row }: StoredRun): RunRow {
  return { ...row, job: JSON.parse(job) as PoolRequest, files: JSON.parse(files) as CarriedFiles };
}

/** Ends a run early: what no worker has begun is taken back. It can be gone on with. */
export async function cancelRun(database: FleetDatabase, id: number): Promise<void> {
  await database.transaction(async client => {
    await client.query("UPDATE espalier.fleet_runs SET state = 'cancelled' WHERE id = $1", [id]);
    await client.query(removeJobs, [keysOf(id)]);
  });
}

/** Ends a run that has all its episodes; what somebody else was to do as well is taken back. */
export async function endRun(database: FleetDatabase, id: number): Promise<void> {
  await database.transaction(async client => {
    await client.query("UPDATE espalier.fleet_runs SET state = 'done' WHERE id = $1", [id]);
    await client.query(removeJobs, [keysOf(id)]);
  });
}

/** Pauses, resumes or cancels a run, named by its number or its name. */
export async function steerRun(
  address: string,
  wanted: string,
  what: 'pause' | 'resume' | 'cancel',
): Promise<{ readonly id: number; readonly name: string; readonly state: RunState }> {
  const database = await connectFleet({ address, connections: 2 });
  try {
    const { id, name, state } = await findNamed(database, wanted);
    const isOver = state === 'done' || state === 'cancelled';
    if (isOver || (what === 'resume' && state !== 'paused')) throw cannot(what, name, state);
    if (what === 'cancel') await cancelRun(database, id);
    else await setPaused(database, id, what === 'pause');
    return { id, name, state: await stateOf(database, id) };
  } finally {
    await database.close();
  }
}

async function setPaused(database: FleetDatabase, id: number, isPaused: boolean): Promise<void> {
  await database.transaction(async client => {
    await client.query('UPDATE espalier.fleet_runs SET state = $2 WHERE id = $1', [
      id,
      isPaused ? 'paused' : 'running',
    ]);
    await client.query(isPaused ? pauseJobs : resumeJobs, isPaused ? [keysOf(id)] : [keysOf(id), id]);
  });
}

type NamedRun = Pick<RunRow, 'id' | 'name' | 'state'>;

async function findNamed(database: FleetDatabase, wanted: string): Promise<NamedRun> {
  const runs = await database.query<NamedRun>('SELECT id, name, state FROM espalier.fleet_runs ORDER BY id');
  const byNumber = runs.find(({ id }) => String(id) === wanted);
  const byName = runs.filter(({ name }) => name === wanted);
  const open = byName.filter(({ state }) => state === 'running' || state === 'paused');
  const [found, ...others] = byNumber === undefined ? (open.length > 0 ? open : byName) : [byNumber];
  if (found !== undefined && others.length === 0) return found;
  throw invalidOption(
    found === undefined ? `The fleet has no run "${wanted}".` : `The fleet has several runs "${wanted}".`,
    `Expected the number of a run: ${runs.map(({ id, name }) => `${id} (${name})`).join(', ') || 'there is none yet'}.`,
  );
}

function cannot(what: string, name: string, state: RunState): EspalierError {
  return invalidOption(
    `The run ${name} is ${state}: there is nothing to ${what}.`,
    'Expected a run that goes on: espalier fleet status shows them.',
  );
}
