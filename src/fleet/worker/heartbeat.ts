import type { Timers } from '../../core/clock.ts';
import type { FleetDatabase } from '../database/connect.ts';
import { losePortions } from '../database/spending.ts';
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
  busy(): number;
  episodes(): number;
}

/**
 * Says that a worker lives, by the clock of the database, and finds those that do not any more. Whoever lives does this for all.
 * Also names runs that other versions of Espalier work on.
 */
const beatOnce = `
  WITH beat AS (
    INSERT INTO espalier.fleet_workers (id, host, pid, version, offers, slots, busy, episodes, beat, lives_until)
    VALUES ($1, $2, $3, $4, $9, $5, $6, $7, now(), now() + make_interval(secs => $8))
    ON CONFLICT (id) DO UPDATE SET busy = excluded.busy, episodes = excluded.episodes, beat = excluded.beat,
      lives_until = excluded.lives_until
  ), dead AS (DELETE FROM espalier.fleet_workers WHERE lives_until < now() AND id <> $1 RETURNING id)
  SELECT ARRAY(SELECT id FROM dead) AS dead,
    ARRAY(SELECT id FROM espalier.fleet_runs WHERE state = 'running' AND version <> $4) AS others`;

/** Gives what dead workers held back to the queue and wakes the others: graphile-worker itself would wait four hours. */
const release = `
  SELECT ${queueSchema}.force_unlock_workers($1::text[]),
    pg_notify('jobs:insert', json_build_object('count', 1000)::text)`;

/** Jobs whose worker nobody knows: the database was restarted, or all workers were lost together. */
const releaseOrphans = `
  WITH lost AS (
    SELECT DISTINCT locked_by AS id FROM ${queueSchema}.jobs
    WHERE locked_at < now() - make_interval(secs => $1)
      AND NOT EXISTS (SELECT 1 FROM espalier.fleet_workers WHERE fleet_workers.id = jobs.locked_by)
  )
  SELECT ${queueSchema}.force_unlock_workers(array_agg(id)),
    pg_notify('jobs:insert', json_build_object('count', 1000)::text)
  FROM lost HAVING count(*) > 0`;

export interface Heartbeat {
  /** Says that the worker has left, of its own will. */
  leave(): Promise<void>;
}

/** Beats in a lease: two may be lost on the way. */
const beatsInLease = 4;
const beatsBetweenSweeps = 12;

export interface HeartbeatOptions {
  readonly timers: Timers;
  /** Told of workers that were found dead. */
  onDead(workers: readonly string[]): void;
  /** Told of the numbers of runs that are for workers of another version. */
  onOthers(runs: readonly number[]): Promise<void>;
  onOutage(cause: unknown): void;
}

export async function startHeartbeat(
  database: FleetDatabase,
  facts: WorkerFacts,
  { timers, onDead, onOthers, onOutage }: HeartbeatOptions,
): Promise<Heartbeat> {
  const { id, host, pid, version, slots, lease } = facts;
  let beats = 0;
  let cancel: () => void = () => undefined;
  let current: Promise<void> = Promise.resolve();
  let hasLeft = false;
  const beat = async (): Promise<void> => {
    const values = [id, host, pid, version, slots, facts.busy(), facts.episodes(), lease, facts.offers];
    const [found] = await database.query<{ dead: string[]; others: number[] }>(beatOnce, values);
    const { dead = [], others = [] } = found ?? {};
    if (dead.length > 0) {
      await database.query(release, [dead]);
      await database.query(losePortions, [dead]);
      onDead(dead);
    }
    if (others.length > 0) await onOthers(others);
    if (beats++ % beatsBetweenSweeps === 0) await database.query(releaseOrphans, [lease]);
  };
  const go = (): void => {
    // One that fails is made up for by the next: a worker that cannot reach the database is dead to the others.
    current = beat()
      .catch(onOutage)
      .then(() => {
        if (!hasLeft) cancel = timers.after((lease * 1000) / beatsInLease, go);
      });
  };
  await beat();
  cancel = timers.after((lease * 1000) / beatsInLease, go);
  return {
    async leave() {
      hasLeft = true;
      cancel();
      await current;
      await database.query('DELETE FROM espalier.fleet_workers WHERE id = $1', [id]).catch(onOutage);
    },
  };
}
