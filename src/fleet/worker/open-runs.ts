import type { EpisodeEnd, EpisodeHead } from '../../core/episode/events.ts';
import type { EspalierError } from '../../core/errors.ts';
import { distrustReason } from '../../episode/certify/distrust.ts';
import type { Host } from '../../runs/host/host.ts';
import type { EpisodePool, PoolRequest } from '../../runs/host/pool.ts';
import { openJobHere, type OpenedJob } from '../../runs/jobs/open-job.ts';
import type { FinishedEpisodes } from '../../store/postgres/finished-episodes.ts';
import type { FleetDatabase } from '../database/connect.ts';
import { unpackFiles } from '../database/carried-files.ts';
import { cancelRun, findRun, type RunRow } from '../database/runs.ts';
import { readSpending } from '../database/spending.ts';
import { createSharedBudget } from './shared-budget.ts';

/** A run whose environments and agents are open on this worker. */
export interface OpenRun {
  readonly row: RunRow;
  readonly job: OpenedJob;
  /** Environments whose snapshots are not used any more, by why. */
  readonly distrusted: ReadonlyMap<string, string>;
  /** Raised when this worker can do no more for the run: its budget is gone, or an endpoint. */
  readonly stopped: AbortSignal;
  /** Runs work with a process of its own for episodes, one at a time. The process stays for the next; null where there are none. */
  readonly alone: (<T>(work: (pool: EpisodePool) => Promise<T>) => Promise<T>) | null;
  /** Heeds what the replays of an episode showed. */
  heed(head: EpisodeHead, finished: FinishedEpisodes): void;
}

export interface OpenRuns {
  /** Null for a run that is not there any more. Throws when it cannot be opened here. */
  need(id: number): Promise<OpenRun | null>;
  /** Says that a job of a run begins (1) or ends (-1). */
  use(id: number, change: 1 | -1): void;
  /** Closes what is open for a run: it is opened anew by the next need. */
  drop(id: number): Promise<void>;
  close(): Promise<void>;
}

/** Runs that stay open for their next job. The one that was needed least recently makes room. */
const mostOpen = 4;

export interface OpenRunsOptions {
  readonly database: FleetDatabase;
  readonly host: Host;
  /** As the queue knows this worker. */
  worker(): string;
  refuse(run: number, reason: string): Promise<void>;
}

export function createOpenRuns(options: OpenRunsOptions): OpenRuns {
  const open = new Map<number, Promise<OpenRun | null>>();
  /** Jobs that are under way, by run: what they use is not closed. */
  const uses = new Map<number, number>();
  const closeOne = async (id: number): Promise<void> => {
    const found = open.get(id);
    open.delete(id);
    const run = await found?.catch(() => null);
    await run?.job.close();
  };
  return {
    need(id) {
      const known = open.get(id);
      if (known !== undefined) {
        open.delete(id);
        open.set(id, known);
        return known;
      }
      const oldest = [...open.keys()].find(key => (uses.get(key) ?? 0) === 0);
      if (open.size >= mostOpen && oldest !== undefined) void closeOne(oldest);
      const opened = openRun(options, id);
      open.set(id, opened);
      // What could not be opened may be next time.
      opened.catch(() => open.delete(id));
      return opened;
    },
    use(id, change) {
      uses.set(id, (uses.get(id) ?? 0) + change);
    },
    drop: closeOne,
    async close() {
      await Promise.all([...open.keys()].map(closeOne));
    },
  };
}

async function openRun(options: OpenRunsOptions, id: number): Promise<OpenRun | null> {
  const { database, worker, refuse } = options;
  const found = await findRun(database, id);
  if (found === null) return null;
  const unpacked = unpackFiles(found.job, found.files);
  const row = { ...found, job: unpacked.job };
  const stop = new AbortController();
  const spending = await readSpending(database, id);
  const onStop = (why: EspalierError): void => {
    stop.abort(why);
    // A budget is gone for all.
    if (why.code === 'out-of-budget') void cancelRun(database, id).catch(() => undefined);
    else void refuse(id, why.message).catch(() => undefined);
  };
  const { timers } = options.host;
  const budget =
    spending === null ? undefined : createSharedBudget({ ...spending, database, run: id, timers, worker, onStop });
  const host = { ...options.host, budget };
  const opened = await openJobHere(host, row.job, row.needs).catch((cause: unknown) => {
    unpacked.remove();
    throw cause;
  });
  const alone = row.needs === 'core' && host.alone !== undefined ? createAlone(host.alone, row.job) : null;
  const job: OpenedJob = {
    ...opened,
    async close() {
      await alone?.close();
      await opened.close();
      unpacked.remove();
    },
  };
  const distrusted = new Map<string, string>();
  return {
    row,
    job,
    distrusted,
    stopped: stop.signal,
    alone: alone?.run ?? null,
    heed(head, { rows, certificates }) {
      for (const { key, ending } of rows) {
        const hasDiverged = certificates.get(key)?.some(({ result }) => result === 'diverged') ?? false;
        const { counts } = JSON.parse(ending) as Pick<EpisodeEnd, 'counts'>;
        if (hasDiverged && counts.rollbacks > 0) distrusted.set(head.task.environment, distrustReason(key));
      }
    },
  };
}

/** Processes that run one episode at a time. One that an episode has ended is started anew by the next. */
function createAlone(host: NonNullable<Host['alone']>, job: PoolRequest) {
  const idle: EpisodePool[] = [];
  return {
    async run<T>(work: (pool: EpisodePool) => Promise<T>): Promise<T> {
      const pool = idle.pop() ?? host.start(job);
      try {
        return await work(pool);
      } finally {
        idle.push(pool);
      }
    },
    close: () => Promise.all(idle.splice(0).map(pool => pool.close())),
  };
}
