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

/** Losses of workers, each with this job, that nobody waits for any more. */
const mostAttempts = 25;

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

/** The same for episodes that a worker gives back, unless their run was cancelled. */
export const returnJobs = `
  SELECT count(*) FROM ${queueSchema}.add_jobs(ARRAY(
    SELECT json_populate_recordset(null::${queueSchema}.job_spec, $1::json)
    FROM espalier.fleet_runs WHERE id = $2 AND state <> 'cancelled'))`;

export function jobSpecs(jobs: readonly QueuedJob[]): string {
  return JSON.stringify(
    jobs.map(({ name, runAt, priority, task, run, lost, heads }) => ({
      identifier: task,
      payload: { run, lost, heads },
      run_at: runAt.toISOString(),
      max_attempts: mostAttempts,
      job_key: `${keysOf(run)}${name}`,
      priority,
      flags: [flagOf(run)],
    })),
  );
}

/** Jobs of a run that wait or are being worked on, by the beginning of their keys. */
export const countJobs = `
  SELECT count(*) AS all, count(locked_at) AS held FROM ${queueSchema}.jobs WHERE starts_with(key, $1)`;

/** Takes back what no worker has begun. */
export const removeJobs = `
  SELECT count(*) FROM ${queueSchema}.complete_jobs(ARRAY(
    SELECT id FROM ${queueSchema}.jobs WHERE starts_with(key, $1) AND locked_at IS NULL))`;

/** Where the queue stands: a run that joins begins here, and all runs go on by turns. */
export const queueFront = `
  SELECT coalesce(min(run_at), timestamptz '2000-01-01 00:00Z') AS base FROM ${queueSchema}.jobs
  WHERE locked_at IS NULL AND key IS NOT NULL`;

/** The place of an episode among those of all runs: a millisecond each. */
export function shareOf(base: Date, episode: number): Date {
  return new Date(base.getTime() + episode);
}
