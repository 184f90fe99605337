import type { EpisodeEnd, EpisodeHead } from '../../core/episode/events.ts';
import { causeText } from '../../core/errors.ts';
import type { Semaphore } from '../../core/semaphore.ts';
import { runEpisodes } from '../../episode/engine.ts';
import type { Host } from '../../runs/host/host.ts';
import type { EpisodePool } from '../../runs/host/pool.ts';
import type { EpisodeRow } from '../../store/postgres/episode-row.ts';
import { createMemoryJournal, type FinishedEpisodes } from '../../store/postgres/finished-episodes.ts';
import { createTrail } from '../../worlds/trail.ts';
import type { FleetDatabase } from '../database/connect.ts';
import { addJobs, jobSpecs, keysOf, packHeads, pauseJobs, unpackHeads, type EpisodesJob } from '../database/queue.ts';
import { queueSchema } from '../database/tables.ts';
import type { Committer } from './committer.ts';
import type { OpenRun, OpenRuns } from './open-runs.ts';

/** A job as the queue gave it to this worker. */
export interface GivenJob extends EpisodesJob {
  readonly id: string;
  /** Times that it was given to some worker, this one included. */
  readonly attempts: number;
  readonly runAt: Date;
  readonly priority: number;
  readonly task: string;
}

export interface JobSetting {
  readonly database: FleetDatabase;
  readonly host: Host;
  readonly runs: OpenRuns;
  readonly committer: Committer;
  /** Raised when the worker is to stop: what has not ended goes back to the queue. */
  readonly signal: AbortSignal;
  /** So many suspects at once get a process. */
  readonly suspects: Semaphore;
  /** As the queue knows this worker. */
  worker(): string;
  /** Says that this worker cannot work on a run. */
  refuse(run: number, reason: string): Promise<void>;
}

/** A worker was lost twice with an episode: it is run in a process of its own, so that nobody else is lost with it. */
const suspectAfter = 2;

/** How often workers have begun a job that this one holds. */
const setAttempts = `UPDATE ${queueSchema}._private_jobs SET attempts = $3 WHERE id = $1 AND locked_by = $2`;

/** A worker that is late and gets its own job again leaves others this time to take it. */
const pauseMilliseconds = 250;

/** Runs the episodes of a job and commits them. What this worker cannot do or finish goes back to the queue. */
export async function runJob(job: GivenJob, setting: JobSetting): Promise<number> {
  const { database, runs, signal } = setting;
  const heads = unpackHeads(job);
  const lost = job.lost + job.attempts - 1;
  if (job.late === setting.worker()) {
    await new Promise<void>(resolve => void setting.host.timers.after(pauseMilliseconds, resolve));
    await giveBack(job, setting, { heads, lost });
    return 0;
  }
  const run = await openRun(job, setting);
  if (run === null) return 0;
  const due = lost === 0 && job.late === undefined ? heads : await missing(database, run.row.store, heads);
  // One of them may have ended its worker: each gets a job of its own.
  if (lost > 0 && due.length > 1) {
    await giveBack(job, setting, { heads: due, lost });
    return 0;
  }
  runs.use(job.run, 1);
  const running = lost < suspectAfter ? runHeads(due, run, setting) : runSuspects(job, due, { ...setting, run });
  const { ended, added } = await running.finally(() => runs.use(job.run, -1));
  const left = due.filter(({ key }) => !ended.has(key));
  if (left.length > 0) {
    await giveBack(job, setting, { heads: left, lost });
    if (!signal.aborted) await runs.drop(run.row.id);
  }
  return added;
}

async function openRun(job: GivenJob, setting: JobSetting): Promise<OpenRun | null> {
  try {
    return await setting.runs.need(job.run);
  } catch (cause) {
    // Another worker may have what is missing here.
    await setting.refuse(job.run, causeText(cause));
    await giveBack(job, setting, { heads: unpackHeads(job), lost: job.lost + job.attempts - 1 });
    return null;
  }
}

interface Ran {
  readonly ended: ReadonlySet<string>;
  readonly added: number;
}

/**
 * Runs episodes in a process of their own, which ends alone if one of them ends it. While they wait for it they have not begun: were
 * this worker lost meanwhile, they would have nothing to do with it.
 */
async function runSuspects(
  { id, attempts }: GivenJob,
  heads: readonly EpisodeHead[],
  { run, ...setting }: JobSetting & { readonly run: OpenRun },
): Promise<Ran> {
  const { database, suspects, worker } = setting;
  if (run.alone === null) return runHeads(heads, run, setting);
  const wait = suspects.enter();
  if (wait !== null) {
    await database.query(setAttempts, [id, worker(), attempts - 1]);
    await wait;
  }
  try {
    if (wait !== null) await database.query(setAttempts, [id, worker(), attempts]);
    return await run.alone(pool => runHeads(heads, run, { ...setting, pool }));
  } finally {
    suspects.leave();
  }
}

/** Runs episodes one after the other, and commits each when it has ended while the next one runs. */
async function runHeads(
  heads: readonly EpisodeHead[],
  run: OpenRun,
  { host, signal: told, committer, pool }: JobSetting & { readonly pool?: EpisodePool },
): Promise<Ran> {
  const { row } = run;
  const signal = AbortSignal.any([told, run.stopped]);
  const ended = new Set<string>();
  const commits: Promise<number>[] = [];
  try {
    for (const head of heads) {
      if (signal.aborted) break;
      const finished = await runHead(head, run, { host, signal, pool: pool ?? null });
      run.heed(head, finished);
      if (finished.rows.length === 0) break;
      ended.add(head.key);
      const commit = committer.commit(row.store, finished);
      // One that is refused while the next episode runs is heard of at the end.
      commit.catch(() => undefined);
      commits.push(commit);
    }
  } finally {
    await Promise.allSettled(commits);
  }
  return { ended, added: (await Promise.all(commits)).reduce((sum, one) => sum + one, 0) };
}

interface HeadSetting extends Pick<JobSetting, 'host' | 'signal'> {
  readonly pool: EpisodePool | null;
}

async function runHead(
  head: EpisodeHead,
  { row, job, distrusted }: OpenRun,
  { host: { clock, timers }, signal, pool }: HeadSetting,
): Promise<FinishedEpisodes> {
  const journal = createMemoryJournal();
  const runEpisode = pool?.runEpisode ?? job.runEpisode;
  const { stopped } = await runEpisodes({
    plan: [head],
    concurrency: 1,
    seed: row.job.seed,
    journal,
    clock,
    timers,
    createTrail,
    signal,
    certifies: row.certifies,
    distrusted,
    start: one => job.start(one),
    ...(runEpisode === undefined ? {} : { runEpisode }),
  });
  return stopped ? certifiedOf(journal.take(), row.certifies) : journal.take();
}

/** Without the episodes whose replays were stopped, or may have been: they run again. */
function certifiedOf(finished: FinishedEpisodes, certifies: boolean): FinishedEpisodes {
  const isWhole = ({ ending }: EpisodeRow): boolean =>
    !certifies || (JSON.parse(ending) as EpisodeEnd).certification !== 'by-replay';
  return { ...finished, rows: finished.rows.filter(isWhole) };
}

/** Episodes that nobody has committed yet. */
async function missing(
  database: FleetDatabase,
  store: number,
  heads: readonly EpisodeHead[],
): Promise<readonly EpisodeHead[]> {
  const rows = await database.query<{ key: string }>(
    'SELECT key FROM espalier.episodes WHERE store = $1 AND run = $2 AND key = ANY($3::text[])',
    [store, heads[0]?.run ?? '', heads.map(({ key }) => key)],
  );
  const done = new Set(rows.map(({ key }) => key));
  return heads.filter(({ key }) => !done.has(key));
}

/** Puts episodes back, each in a job of its own, unless their run was cancelled; this job is then done. */
async function giveBack(
  { run, runAt, priority, id, task, late, lane }: GivenJob,
  { database }: JobSetting,
  { heads, lost }: { readonly heads: readonly EpisodeHead[]; readonly lost: number },
): Promise<void> {
  const jobs = heads.map(head => ({
    run,
    lost,
    ...(late === undefined ? {} : { late }),
    ...(lane === undefined ? {} : { lane }),
    heads: packHeads([head]),
    name: `${head.index} after ${id}`,
    runAt,
    priority,
    task,
  }));
  await database.transaction(async client => {
    const { rows } = await client.query<{ state: string }>(
      'SELECT state FROM espalier.fleet_runs WHERE id = $1 FOR SHARE',
      [run],
    );
    const state = rows[0]?.state ?? 'cancelled';
    if (state !== 'cancelled') await client.query(addJobs, [jobSpecs(jobs)]);
    if (state === 'paused') await client.query(pauseJobs, [keysOf(run)]);
  });
}
