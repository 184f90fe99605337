import { connectFleet, type FleetDatabase } from './database/connect.ts';
import { queueSchema } from './database/tables.ts';

interface WorkerStatus {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  readonly offers: string;
  readonly slots: number;
  readonly busy: number;
  /** Committed by it. */
  readonly episodes: number;
  /** Since its last sign of life. */
  readonly seconds: number;
  readonly lives: boolean;
}

export interface RunStatus {
  readonly id: number;
  readonly name: string;
  /** Of its episodes in the database. */
  readonly store: string;
  readonly storeNumber: number;
  readonly version: string;
  readonly needs: string;
  readonly state: string;
  /** Episodes of its plan; null while the plan is walked for the first time. */
  readonly planned: number | null;
  readonly done: number;
  readonly errored: number;
  /** Jobs that wait, and those that workers hold. */
  readonly waiting: number;
  readonly held: number;
  /** Jobs that were late, and went to a second worker. */
  readonly duplicated: number;
  /** Why workers take none of its episodes. */
  readonly refusals: readonly string[];
}

export interface FleetStatus {
  readonly workers: readonly WorkerStatus[];
  readonly runs: readonly RunStatus[];
}

export async function readFleetStatus(address: string): Promise<FleetStatus> {
  const database = await connectFleet({ address, connections: 2 });
  try {
    return await findFleetStatus(database);
  } finally {
    await database.close();
  }
}

export async function findFleetStatus(database: FleetDatabase): Promise<FleetStatus> {
  const workers = await database.query<WorkerStatus>(
    `SELECT id, host, pid, version, offers, slots, busy, episodes, lives_until > now() AS lives,
       round(extract(epoch FROM now() - beat))::int AS seconds
     FROM espalier.fleet_workers ORDER BY started`,
  );
  const runs = await database.query<RunStatus>(
    `SELECT runs.id, runs.name, runs.store_name AS store, runs.store AS "storeNumber", runs.version, runs.needs,
       runs.state, runs.planned, runs.duplicated, found.done, found.errored, jobs.waiting, jobs.held,
       ARRAY(SELECT DISTINCT reason FROM espalier.fleet_refusals JOIN espalier.fleet_workers ON worker = fleet_workers.id
         WHERE run = runs.id ORDER BY reason) AS refusals
     FROM espalier.fleet_runs AS runs,
       LATERAL (SELECT count(*) AS done, count(*) FILTER (WHERE outcome = 'errored') AS errored
         FROM espalier.episodes WHERE episodes.store = runs.store) AS found,
       LATERAL (SELECT count(*) FILTER (WHERE locked_at IS NULL) AS waiting, count(locked_at) AS held
         FROM ${queueSchema}.jobs WHERE starts_with(key, runs.id || '/')) AS jobs
     ORDER BY runs.id`,
  );
  return { workers, runs };
}
