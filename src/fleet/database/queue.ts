import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { EpisodeHead } from '../../core/episode/events.ts';
import type { WorkerNeeds } from '../../runs/host/fleet.ts';
import { queueSchema } from './tables.ts';

/** A few episodes of a run. */
export interface EpisodesJob {
  /** Number of the run. */
  readonly run: number;
  /** How often a worker was lost with these episodes before they came into this job. */
  readonly lost: number;
  /** The worker that is late with them: they are for another one. */
  readonly late?: string;
  /** Jobs with the same one run one after the other. */
  readonly lane?: string;
  /** Whole heads, compressed: a worker needs no plan. */
  readonly heads: string;
}

export interface QueuedJob extends EpisodesJob {
  /** Among the jobs of its run. */
  readonly name: string;
  /** Jobs are taken in the order of this moment. It has passed, and is no time of day: see `shareOf`. */
  readonly runAt: Date;
  readonly priority: number;
  readonly task: string;
}

/** The most that the queue can count: an episode that ends its worker is set aside by its process, never by the queue. */
const mostAttempts = 32_767;

export function packHeads(heads: readonly EpisodeHead[]): string {
  return zstdCompressSync(JSON.stringify(heads)).toString('base64');
}

export function unpackHeads({ heads }: Pick<EpisodesJob, 'heads'>): EpisodeHead[] {
  return JSON.parse(zstdDecompressSync(Buffer.from(heads, 'base64')).toString()) as EpisodeHead[];
}

/** Workers take jobs of their own version only: another one may do the same episode differently. */
export function taskOf(version: string, needs: WorkerNeeds): string {
  return `${needs} ${version}`;
}

export function flagOf(run: number): string {
  return `run:${run}`;
}

/** `12/`: what the keys of all jobs of a run begin with. */
export function keysOf(run: number): string {
  return `${run}/`;
}

/** Adds jobs by the function of graphile-worker. A job with a key that waits already stays one job. */
export const addJobs = `
  SELECT count(*) FROM ${queueSchema}.add_jobs(ARRAY(
    SELECT json_populate_recordset(null::${queueSchema}.job_spec, $1::json)))`;

export function jobSpecs(jobs: readonly QueuedJob[]): string {
  return JSON.stringify(
    jobs.map(({ name, runAt, priority, task, run, lost, late, lane, heads }) => ({
      identifier: task,
      payload: { run, lost, heads, ...(late === undefined ? {} : { late }), ...(lane === undefined ? {} : { lane }) },
      ...(lane === undefined ? {} : { queue_name: lane }),
      run_at: runAt.toISOString(),
      max_attempts: mostAttempts,
      job_key: `${keysOf(run)}${name}`,
      priority,
      flags: [flagOf(run)],
    })),
  );
}

/**
 * Adds jobs that are held for longer than `$2` seconds once more, for other workers. What ended a worker before is left alone, and so is
 * what a worker holds that is lost: it goes to others by itself, and counts against the episode that may have ended it.
 * Payloads stand in a table of the queue that is not for others; nobody else has them while the job is held.
 */
export const duplicateJobs = `
  WITH late AS (
    SELECT jobs.*, private.payload FROM ${queueSchema}.jobs JOIN ${queueSchema}._private_jobs AS private USING (id)
    WHERE starts_with(jobs.key, $1) AND jobs.locked_at < now() - make_interval(secs => $2) AND jobs.attempts = 1
      AND jobs.id <> ALL($3::bigint[]) AND (private.payload->>'lost')::int = 0 AND private.payload->>'late' IS NULL AND private.payload->>'lane' IS NULL
      AND EXISTS (SELECT 1 FROM espalier.fleet_workers WHERE id = jobs.locked_by AND lives_until > now())
      AND EXISTS (SELECT 1 FROM espalier.fleet_workers WHERE id <> jobs.locked_by AND lives_until > now())
    ORDER BY jobs.locked_at LIMIT $4
  )
  SELECT id, (${queueSchema}.add_job(
    task_identifier, (payload::jsonb || jsonb_build_object('late', locked_by))::json, run_at => run_at, max_attempts => max_attempts,
    job_key => key || ' again', priority => priority, flags => ARRAY[$5::text])).id AS again
  FROM late`;

/** Jobs of a run that wait or are being worked on, by the beginning of their keys. */
export const countJobs = `
  SELECT count(*) AS all, count(locked_at) AS held FROM ${queueSchema}.jobs WHERE starts_with(key, $1)`;

/** Takes back what no worker has begun. */
export const removeJobs = `
  SELECT count(*) FROM ${queueSchema}.complete_jobs(ARRAY(
    SELECT id FROM ${queueSchema}.jobs WHERE starts_with(key, $1) AND locked_at IS NULL))`;

/** The queue takes the lowest first, people say the highest. */
export function rankOf(priority: number): number {
  return -priority;
}

/** Gives the jobs of a run that nobody has begun another place. */
export const rankJobs = `
  SELECT count(*) FROM ${queueSchema}.reschedule_jobs(ARRAY(
    SELECT id FROM ${queueSchema}.jobs WHERE starts_with(key, $1) AND locked_at IS NULL), priority := $2)`;

/** Jobs of a paused run are due at the end of time. */
const endOfTime = "timestamptz '9999-12-31 00:00Z'";

export const pauseJobs = `
  SELECT count(*) FROM ${queueSchema}.reschedule_jobs(ARRAY(
    SELECT id FROM ${queueSchema}.jobs WHERE starts_with(key, $1) AND locked_at IS NULL), run_at := ${endOfTime})`;

/** Gives the jobs of a paused run their places back, which are the numbers in their keys, and wakes the workers. */
export const resumeJobs = `
  WITH placed AS (
    SELECT ${queueSchema}.reschedule_jobs(ARRAY[jobs.id], run_at :=
      base + make_interval(secs => substring(split_part(key, '/', 2) FROM '^[0-9]+')::float8 / 1000)) AS job
    FROM ${queueSchema}.jobs, espalier.fleet_runs
    WHERE fleet_runs.id = $2 AND starts_with(key, $1) AND locked_at IS NULL
  )
  SELECT count(job), pg_notify('jobs:insert', json_build_object('count', 1000)::text) FROM placed`;

/**
 * Lanes that a worker holds without a job of theirs. When a worker is thought lost and is not, two work on one job: the first to end
 * deletes it, and the queue has nothing left by which the other could free its lane.
 */
const freed = `
  WITH freed AS (
    UPDATE ${queueSchema}._private_job_queues AS lane SET locked_by = NULL, locked_at = NULL
    WHERE locked_by = $1
      AND NOT EXISTS (SELECT 1 FROM ${queueSchema}._private_jobs WHERE job_queue_id = lane.id AND locked_by = $1)
    RETURNING id
  )`;

const wake = `SELECT pg_notify('jobs:insert', json_build_object('count', 1000)::text)`;

/** Frees such lanes of a worker, and wakes all workers if there was one. */
export const freeLanes = `${freed} ${wake} FROM freed LIMIT 1`;

/** Frees such lanes of a worker, and wakes all workers. */
export const wakeWorkers = `${freed} ${wake}`;

/** Where the queue stands: a run that joins begins here, and all runs go on by turns. */
export const queueFront = `
  SELECT coalesce(min(run_at), timestamptz '2000-01-01 00:00Z') AS base FROM ${queueSchema}.jobs
  WHERE locked_at IS NULL AND key IS NOT NULL AND run_at < now()`;

/** The place of an episode among those of all runs: a millisecond each. */
export function shareOf(base: Date, episode: number): Date {
  return new Date(base.getTime() + episode);
}
