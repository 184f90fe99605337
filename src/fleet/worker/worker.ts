import type { Job, Runner, Task } from 'graphile-worker';
import type { QueryConfig } from 'pg';
import { causeText } from '../../core/errors.ts';
import { createSemaphore } from '../../core/semaphore.ts';
import type { WorkerNeeds } from '../../runs/host/fleet.ts';
import type { Host } from '../../runs/host/host.ts';
import { connectFleet, isOutage, silent, type FleetDatabase } from '../database/connect.ts';
import { taskOf, wakeWorkers, type EpisodesJob } from '../database/queue.ts';
import { queueSchema } from '../database/tables.ts';
import { createCommitter } from './committer.ts';
import { startHeartbeat, type Heartbeat, type WorkerFacts } from './heartbeat.ts';
import { createOpenRuns } from './open-runs.ts';
import { createRefusals } from './refusals.ts';
import { runJob, type JobSetting } from './run-job.ts';

export interface FleetWorkerOptions extends Pick<WorkerFacts, 'host' | 'pid' | 'version' | 'lease'> {
  readonly address: string;
  readonly machine: Host;
  /** Episodes at once. */
  readonly slots: number;
  /** Episodes in pages at once; 0 takes none. */
  readonly browsers: number;
  /** Raised when the worker is to stop: it gives back what it holds. */
  readonly signal: AbortSignal;
  /** Told when it is connected, with the name that the queue knows it by. */
  onReady?(id: string): void;
}

/** Episodes that a worker ended, and those of them that nobody had committed before. */
export interface WorkerTotals {
  readonly episodes: number;
}

/** Idle workers ask the queue this often; jobs that are added wake them at once. */
const pollMilliseconds = 20_000;
/** For the listener, fetches, completions, commits and heartbeats. */
const connections = 5;
/** Processes for episodes that may have ended a worker. */
const lonely = 2;

/** Works on the episodes of a fleet until it is told to stop. */
export async function runFleetWorker(options: FleetWorkerOptions): Promise<WorkerTotals> {
  const { address, slots, browsers, machine, signal } = options;
  const onOutage = createOutageNotice(machine.onNotice);
  const database = await connectFleet({
    address,
    connections: browsers > 0 ? connections + 2 : connections,
    retry: { timers: machine.timers, signal, onOutage },
  });
  const tally = { episodes: 0 };
  try {
    const working = { database, tally, onOutage, suspects: createSemaphore(lonely) };
    const offers: Offer[] = [{ needs: ['core', 'model'], slots }];
    if (browsers > 0) offers.push({ needs: ['browser'], slots: browsers });
    await Promise.all(offers.map(offer => workOn(offer, options, working)));
    return { episodes: tally.episodes };
  } finally {
    await database.close();
  }
}

/** What one queue of a worker takes. */
interface Offer {
  readonly needs: readonly WorkerNeeds[];
  readonly slots: number;
}

/** A queue gives up when the database stays away; a new one begins when it is back. */
async function workOn(offer: Offer, options: FleetWorkerOptions, working: Working): Promise<void> {
  const { machine, signal } = options;
  while (!signal.aborted) {
    try {
      await workOnce(offer, options, working);
    } catch (cause) {
      if (signal.aborted) return;
      machine.onNotice(`The queue stopped: ${causeText(cause)}. The worker connects again.`);
      await working.database.query('SELECT 1');
    }
  }
}

interface Working extends Pick<JobSetting, 'database' | 'suspects'> {
  readonly tally: { episodes: number };
  onOutage(cause: unknown): void;
}

async function workOnce(offer: Offer, options: FleetWorkerOptions, working: Working): Promise<void> {
  const { database, tally, onOutage } = working;
  const { machine, signal, version } = options;
  const { needs, slots } = offer;
  const { timers, onNotice } = machine;
  const committer = createCommitter(database);
  const { refuse, refuseOthers, forbidden, setWorker } = createRefusals(database, onNotice);
  const known = { id: '' };
  const worker = (): string => known.id;
  const runs = createOpenRuns({ database, host: machine, worker, refuse });
  const setting: JobSetting = { ...working, runs, host: machine, committer, signal, refuse, worker };
  const held = new Set<string>();
  const work = createWork(setting, { tally, held });
  const tasks = needs.map(need => taskOf(version, need));
  const queue = await startQueue({ database, tasks, slots, forbidden, work });
  const { id } = queue;
  known.id = id;
  setWorker(id);
  const stop = (): void => void queue.runner.stop().catch(() => undefined);
  let heartbeat: Heartbeat | null = null;
  try {
    heartbeat = await startHeartbeat(
      database,
      { ...options, id, slots, offers: needs.join(', '), jobs: () => [...held], episodes: () => tally.episodes },
      {
        timers,
        signal,
        onOutage,
        onDead: workers => onNotice(`Lost: ${workers.join(', ')}. What they held goes to others.`),
        onOthers: others => refuseOthers(others, version),
      },
    );
    options.onReady?.(id);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    await queue.runner.promise;
  } finally {
    signal.removeEventListener('abort', stop);
    // A queue that nobody speaks for would hold jobs that others wait for.
    if (heartbeat === null) stop();
    await heartbeat?.leave();
    await runs.close();
  }
}

interface Tally extends Pick<Working, 'tally'> {
  /** Numbers of jobs that are under way. */
  readonly held: Set<string>;
}

/** What is done with a job of the queue. */
function createWork(setting: JobSetting, { tally, held }: Tally): QueueOptions['work'] {
  const { host } = setting;
  const wakeSoon = createWaking(setting);
  return async (payload, job) => {
    const { id, attempts, priority, run_at: runAt, task_identifier: task } = job;
    held.add(id);
    try {
      const added = await runJob({ ...payload, id, attempts, runAt, priority, task }, setting);
      tally.episodes += added;
    } catch (cause) {
      host.onNotice(`A job failed; the queue gives it out again later: ${causeText(cause)}`);
      throw cause;
    } finally {
      held.delete(id);
      if (payload.lane !== undefined) wakeSoon();
    }
  };
}

/** The queue marks a job as done a little after its end, and tells nobody that its lane is free. */
const wakeMilliseconds = [30, 300];

/** Lets all workers look for jobs shortly after this. */
function createWaking({ database, worker, host: { timers } }: JobSetting): () => void {
  const waiting = new Set<number>();
  const wake = (): void => void database.queryOnce(wakeWorkers, [worker()]).catch(() => undefined);
  return () => {
    for (const milliseconds of wakeMilliseconds.filter(one => !waiting.has(one))) {
      waiting.add(milliseconds);
      timers.after(milliseconds, () => {
        waiting.delete(milliseconds);
        wake();
      });
    }
  };
}

interface QueueOptions {
  readonly tasks: readonly string[];
  readonly slots: number;
  readonly database: FleetDatabase;
  forbidden(): string[] | null;
  work(payload: EpisodesJob, job: Job): Promise<void>;
}

async function startQueue({ database, tasks, slots, forbidden, work }: QueueOptions) {
  const { EventEmitter } = await import('node:events');
  const worker = await import('graphile-worker');
  const events = new EventEmitter() as NonNullable<Parameters<typeof worker.run>[0]['events']>;
  const known = Promise.withResolvers<string>();
  events.on('pool:create', ({ workerPool }) => known.resolve(workerPool.id));
  const handle: Task = (payload, { job }) => work(payload as EpisodesJob, job);
  const runner: Runner = await worker.run({
    pgPool: patientPool(database),
    events,
    noHandleSignals: true,
    concurrency: slots,
    logger: silent(worker),
    forbiddenFlags: forbidden,
    taskList: Object.fromEntries(tasks.map(task => [task, handle])),
    preset: {
      worker: {
        schema: queueSchema,
        pollInterval: pollMilliseconds,
        gracefulShutdownAbortTimeout: 2_000_000_000,
        // One at a time, and not for long: a worker holds nothing that another one could begin.
        localQueue: { size: 1, ttl: 1000 },
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
      },
    },
  });
  return { runner, id: await known.promise };
}

/**
 * The connections of the queue. It gives up all its slots when the end of one job cannot be written, and rests for a whole interval when
 * a fetch fails: each of its statements stands alone, so that the next connection can be asked instead. What a fetch took whose answer
 * was lost is given back by the heartbeat.
 */
function patientPool({ pool, patiently }: FleetDatabase): FleetDatabase['pool'] {
  const client = {
    query: (statement: QueryConfig) => patiently(() => pool.query(statement)),
    release: () => undefined,
  };
  return new Proxy(pool, {
    get(of, name) {
      // Whoever listens asks for a connection with a callback, and gets one of its own.
      if (name === 'connect')
        return (listener?: unknown) =>
          listener === undefined ? Promise.resolve(client) : of.connect(listener as never);
      const found: unknown = Reflect.get(of, name);
      return typeof found === 'function' ? found.bind(of) : found;
    },
  });
}

/** Says once that the database is away. */
function createOutageNotice(onNotice: (text: string) => void): (cause: unknown) => void {
  let told = '';
  return cause => {
    const text = isOutage(cause)
      ? 'The database of the fleet is away; the worker waits for it'
      : 'The database refused';
    const whole = `${text}: ${causeText(cause)}`;
    if (whole !== told) onNotice(whole);
    told = whole;
  };
}
