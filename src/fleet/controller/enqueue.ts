import type { EpisodeHead } from '../../core/episode/events.ts';
import type { FleetDatabase } from '../database/connect.ts';
import {
  addJobs,
  jobSpecs,
  keysOf,
  pauseJobs,
  packHeads,
  rankOf,
  shareOf,
  taskOf,
  type QueuedJob,
} from '../database/queue.ts';
import type { RunRow } from '../database/runs.ts';
import type { FleetRun } from '../../runs/host/fleet.ts';

export interface EnqueueOptions {
  readonly database: FleetDatabase;
  readonly run: RunRow;
  readonly signal: AbortSignal;
  /** Episodes of a job. */
  readonly jobSize: number;
  /** Places that bear so many episodes at once; null for no limit. */
  readonly atOnce: FleetRun['atOnce'];
  /** Whether an episode has ended: it gets no job. */
  isDone(head: EpisodeHead): boolean;
  /** Told of each head of the plan. */
  onHead(head: EpisodeHead): void;
}

/** Heads that are added in one transaction. */
const batch = 2048;

/**
 * Walks a plan and puts what is due into the queue, a batch at a time. How far it came is written with each batch: a second
 * controller, or one that begins again, adds only what is missing.
 */
export async function enqueuePlan(plan: Iterable<EpisodeHead>, options: EnqueueOptions): Promise<void> {
  const { database, run, signal, isDone, onHead } = options;
  let heads: (EpisodeHead | null)[] = [];
  let walked = 0;
  const add = async (): Promise<void> => {
    const from = walked;
    walked += heads.length;
    const given = heads;
    heads = [];
    await addBatch(options, given, from);
  };
  for (const head of plan) {
    if (signal.aborted) return;
    onHead(head);
    heads.push(isDone(head) ? null : head);
    if (heads.length >= batch) await add();
  }
  await add();
  await database.query('UPDATE espalier.fleet_runs SET planned = $2 WHERE id = $1', [run.id, walked]);
}

async function addBatch(options: EnqueueOptions, heads: readonly (EpisodeHead | null)[], from: number): Promise<void> {
  const { database, run } = options;
  await database.transaction(async client => {
    const { rows } = await client.query<{ walked: number; state: string }>(
      'SELECT walked, state FROM espalier.fleet_runs WHERE id = $1 FOR UPDATE',
      [run.id],
    );
    const before = rows[0]?.walked ?? 0;
    const due = heads.flatMap((head, at) => (head === null || from + at < before ? [] : [{ head, at: from + at }]));
    const jobs = jobsOf(due, options);
    if (jobs.length > 0) await client.query(addJobs, [jobSpecs(jobs)]);
    if (rows[0]?.state === 'paused') await client.query(pauseJobs, [keysOf(run.id)]);
    await client.query('UPDATE espalier.fleet_runs SET walked = greatest(walked, $2) WHERE id = $1', [
      run.id,
      from + heads.length,
    ]);
  });
}

/** One of as many lanes as the place of an episode bears at once. */
function laneOf(head: EpisodeHead, at: number, { most, placeOf }: NonNullable<FleetRun['atOnce']>): string {
  return `${placeOf(head)} ${at % most}`;
}

function jobsOf(
  due: readonly { head: EpisodeHead; at: number }[],
  { run, jobSize: size, atOnce }: EnqueueOptions,
): QueuedJob[] {
  const jobs: QueuedJob[] = [];
  for (let first = 0; first < due.length; first += size) {
    const some = due.slice(first, first + size);
    const at = some[0]?.at ?? 0;
    jobs.push({
      run: run.id,
      lost: 0,
      ...(atOnce === null || some[0] === undefined ? {} : { lane: laneOf(some[0].head, at, atOnce) }),
      heads: packHeads(some.map(({ head }) => head)),
      name: String(at),
      runAt: shareOf(run.base, at),
      priority: rankOf(run.priority),
      task: taskOf(run.version, run.needs),
    });
  }
  return jobs;
}
