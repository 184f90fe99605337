import type { Timers } from '../../core/clock.ts';
import { whenReachable, type FleetDatabase } from '../database/connect.ts';
import { freeLanes } from '../database/queue.ts';
import { losePortions, unknownHolders } from '../database/spending.ts';
import { queueSchema } from '../database/tables.ts';

/** What a worker says of itself. */
export interface WorkerFacts {
  /** As the queue knows it. */
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  /** What its episodes may need. */
  readonly offers: string;
  readonly slots: number;
  /** Seconds without a sign of life after which its episodes go to others. */
  readonly lease: number;
  /** Numbers of the jobs that it works on. */
  jobs(): readonly string[];
  episodes(): number;
}

/**
 * Says that a worker lives, by the clock of the database, and finds those that do not any more. Whoever lives does this for all.
 * Also names runs that other versions of Espalier work on. Not synced to disk: a beat that is lost is made up for by the next.
 */
const beatOnce = `
  WITH unsynced AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true)), beat AS (
    INSERT INTO espalier.fleet_workers (id, host, pid, version, offers, slots, busy, episodes, beat, lives_until)
    VALUES ($1, $2, $3, $4, $9, $5, $6, $7, now(), now() + make_interval(secs => $8))
    ON CONFLICT (id) DO UPDATE SET busy = excluded.busy, episodes = excluded.episodes, beat = excluded.beat,
      lives_until = excluded.lives_until
  )
  SELECT ARRAY(SELECT id FROM espalier.fleet_workers WHERE lives_until < now() AND id <> $1) AS dead,
    ARRAY(SELECT id FROM espalier.fleet_runs WHERE state = 'running' AND version <> $4) AS others
  FROM unsynced`;

/** Gives what workers held back to the queue and wakes the others: graphile-worker itself would wait four hours. */
const release = `
  SELECT ${queueSchema}.force_unlock_workers($1::text[]),
    pg_notify('jobs:insert', json_build_object('count', 1000)::text)`;

/** Workers that hold jobs and that nobody knows: the database was restarted, or all workers were lost together. */
const unknownWorkers = `
  SELECT DISTINCT locked_by AS worker FROM ${queueSchema}.jobs
  WHERE locked_at < now() - make_interval(secs => $1)
    AND NOT EXISTS (SELECT 1 FROM espalier.fleet_workers WHERE fleet_workers.id = jobs.locked_by)
  UNION SELECT locked_by FROM ${queueSchema}._private_job_queues AS lanes
  WHERE locked_at < now() - make_interval(secs => $1)
    AND NOT EXISTS (SELECT 1 FROM espalier.fleet_workers WHERE fleet_workers.id = lanes.locked_by)
  UNION ${unknownHolders}`;

/**
 * Jobs that the queue counts as held by this worker, and that it never got: the answer was lost with its connection. They wait for
 * whoever asks next, as if nobody had begun them.
 */
const releaseStrays = `
  WITH strays AS (
    UPDATE ${queueSchema}._private_jobs SET locked_by = NULL, locked_at = NULL, attempts = greatest(0, attempts - 1)
    WHERE locked_by = $1 AND locked_at < now() - make_interval(secs => $2) AND id <> ALL($3::bigint[])
    RETURNING id
  )
  SELECT pg_notify('jobs:insert', json_build_object('count', 1000)::text) FROM strays LIMIT 1`;

export interface Heartbeat {
  /** Says that the worker has left, of its own will. */
  leave(): Promise<void>;
}

/** What was fetched waits a second at most for its turn: then it is held, or goes back. */
const fetchedSeconds = 2;

/** Beats in a lease: two may be lost on the way. */
const beatsInLease = 4;
const beatsBetweenSweeps = 12;

export interface HeartbeatOptions {
  readonly timers: Timers;
  /** Raised when the worker is to stop. */
  readonly signal: AbortSignal;
  /** Told of workers that were found dead. */
  onDead(workers: readonly string[]): void;
  /** Told of the numbers of runs that are for workers of another version. */
  onOthers(runs: readonly number[]): Promise<void>;
  onOutage(cause: unknown): void;
}

export async function startHeartbeat(
  database: FleetDatabase,
  facts: WorkerFacts,
  { timers, signal, onDead, onOthers, onOutage }: HeartbeatOptions,
): Promise<Heartbeat> {
  const { id, host, pid, version, slots, lease } = facts;
  let beats = 0;
  let cancel: () => void = () => undefined;
  let current: Promise<void> = Promise.resolve();
  let hasLeft = false;
  const beat = async (): Promise<void> => {
    const values = [id, host, pid, version, slots, facts.jobs().length, facts.episodes(), lease, facts.offers];
    // With a name, it is planned once a connection.
    const { rows } = await database.pool.query<{ dead: string[]; others: number[] }>({
      name: 'beat',
      text: beatOnce,
      values,
    });
    const { dead, others } = rows[0] ?? { dead: [], others: [] };
    if (dead.length > 0) {
      const gone = await bury(database, dead);
      if (gone.length > 0) onDead(gone);
    }
    if (others.length > 0) await onOthers(others);
    if (beats++ % beatsBetweenSweeps !== 0) return;
    const unknown = await database.queryOnce<{ worker: string }>(unknownWorkers, [lease]);
    if (unknown.length > 0)
      await releaseAll(
        database,
        unknown.map(({ worker }) => worker),
      );
    await database.queryOnce(releaseStrays, [id, lease + fetchedSeconds, facts.jobs()]);
    await database.queryOnce(freeLanes, [id]);
  };
  const go = (): void => {
    // One that fails is made up for by the next: a worker that cannot reach the database is dead to the others.
    current = beat()
      .catch(onOutage)
      .then(() => {
        if (!hasLeft) cancel = timers.after((lease * 1000) / beatsInLease, go);
      });
  };
  await whenReachable(beat, { timers, onOutage, signal });
  cancel = timers.after((lease * 1000) / beatsInLease, go);
  return {
    async leave() {
      hasLeft = true;
      cancel();
      await current;
      // What it did not end, others begin at once.
      const leaving = async (): Promise<void> => {
        await database.queryOnce(release, [[id]]);
        await database.queryOnce('DELETE FROM espalier.fleet_workers WHERE id = $1', [id]);
      };
      await leaving().catch(onOutage);
    },
  };
}

/** Takes dead workers off the list and gives others what they held: both or none. Gives those that nobody else had buried. */
function bury(database: FleetDatabase, dead: readonly string[]): Promise<string[]> {
  return database.transaction(async client => {
    const { rows } = await client.query<{ id: string }>(
      'DELETE FROM espalier.fleet_workers WHERE id = ANY($1::text[]) AND lives_until < now() RETURNING id',
      [dead],
    );
    const gone = rows.map(({ id }) => id);
    if (gone.length > 0) {
      await client.query(release, [gone]);
      await client.query(losePortions, [gone]);
    }
    return gone;
  });
}

function releaseAll(database: FleetDatabase, workers: readonly string[]): Promise<void> {
  return database.transaction(async client => {
    await client.query(release, [workers]);
    await client.query(losePortions, [workers]);
  });
}
