import { hash } from 'node:crypto';
import { flushCompileCache } from 'node:module';
import { isMainThread, parentPort, workerData, type MessagePort } from 'node:worker_threads';
import type { Journal } from '../../core/episode/journal.ts';
import { causeText, EspalierError } from '../../core/errors.ts';
import { watchNativeCalls } from '../../core/native-calls.ts';
import { createTrail } from '../../worlds/trail.ts';
import { runAttempt } from '../../episode/attempt.ts';
import { createTurns } from '../../episode/cursor/turns.ts';
import { replayIn } from '../../episode/certify/certify.ts';
import { createSystemHost } from './host.ts';
import { guardProcess } from './process-guard.ts';
import type { EpisodeJob, OpenJob } from '../../runs/jobs/job.ts';
import type { Host } from '../../runs/host/host.ts';
import { createMarks, type WorkerJob, type WorkerReply, type WorkerRequest, type WorkerSetup } from './messages.ts';
import { wireError } from './wire-error.ts';

/** Often enough to tell a worker that is busy from one that is stuck. */
const beatMilliseconds = 100;

/** The program of a worker: runs the episodes that the pool sends, one beside the other. */
async function work(port: MessagePort, { marks: shared, ...first }: WorkerSetup): Promise<void> {
  const reply = (message: WorkerReply): void => port.postMessage(message);
  const marks = createMarks(shared);
  setInterval(marks.beat, beatMilliseconds).unref();
  watchNativeCalls(marks.callsNative);
  const host = createSystemHost({ workers: 0 });
  let opened = await open(first, host);
  const { clock, timers } = host;
  const stop = new AbortController();
  const { signal } = stop;
  const setting = { clock, timers, signal, createTrail, turns: createTurns(clock, timers) };

  const run = async ({ id, head, distrust }: Extract<WorkerRequest, { kind: 'run' }>): Promise<void> => {
    const { job, seed } = opened;
    const attempt = await runAttempt(head, {
      seed,
      journal: journalTo(message => reply({ ...message, id })),
      ...setting,
      start: given => job.start(given),
      distrust: () => distrust,
      onAsk: party => marks.enter(party?.boundary ?? 'strategy'),
    });
    if (attempt === null) reply({ kind: 'stopped', id });
  };
  const replay = async ({ id, path }: Extract<WorkerRequest, { kind: 'replay' }>): Promise<void> => {
    marks.enter('environment');
    const found = await replayIn(opened.job.environment(path.task.environment), { clock, timers, signal })(path);
    reply({ kind: 'finding', id, finding: found });
  };
  const failed = (id: number) => (cause: unknown) =>
    cause instanceof EspalierError
      ? reply({ kind: 'failed', id, error: wireError(cause) })
      : reply({ kind: 'broken', message: causeText(cause) });
  const change = async (next: WorkerJob): Promise<void> => {
    const { job: before } = opened;
    opened = await open(next, host);
    await before.close();
  };
  // Requests wait while a job is opened.
  let changed: Promise<void> | null = null;
  const answer = (request: WorkerRequest): void => {
    if (request.kind === 'run') run(request).catch(failed(request.id));
    else if (request.kind === 'replay') replay(request).catch(failed(request.id));
    else if (request.kind === 'close') void closeJob(opened.job, port);
  };
  port.on('message', (request: WorkerRequest) => {
    if (request.kind === 'stop') stop.abort();
    else if (request.kind === 'open') {
      changed = (changed ?? Promise.resolve()).then(() => change(request)).then(() => reply({ kind: 'ready' }));
      changed.catch((cause: unknown) => leave(port, cause));
    } else if (changed === null) answer(request);
    else changed.then(() => answer(request)).catch(() => undefined);
  });
  reply({ kind: 'ready' });
  // A worker that is ended by force writes nothing.
  flushCompileCache();
}

interface OpenedJob {
  readonly job: EpisodeJob;
  readonly seed: string;
}

async function open({ job: url, data, seed }: WorkerJob, host: Host): Promise<OpenedJob> {
  const { openJob } = (await import(url)) as { openJob: OpenJob };
  return { job: await openJob(data as never, host), seed };
}

/** Says why no episode can run here, and ends the worker. */
function leave(port: MessagePort, cause: unknown): void {
  port.postMessage({ kind: 'failed', id: null, error: wireError(cause) } satisfies WorkerReply);
  port.close();
}

async function closeJob(job: EpisodeJob, port: MessagePort): Promise<void> {
  try {
    await job.close();
  } finally {
    port.close();
  }
}

type Told = Omit<Extract<WorkerReply, { kind: 'entry' }>, 'id'> | Omit<Extract<WorkerReply, { kind: 'end' }>, 'id'>;

/** A journal that tells everything to the pool, which writes it down. */
function journalTo(tell: (message: Told) => void): Journal {
  return {
    done: () => new Set(),
    certify: () => undefined,
    flush: () => undefined,
    begin: () => ({
      attach(data) {
        tell({ kind: 'entry', entry: { data } });
        return hash('sha256', data);
      },
      append: event => tell({ kind: 'entry', entry: { event } }),
      end: end => tell({ kind: 'end', end }),
    }),
  };
}

if (!isMainThread && parentPort !== null) {
  const port = parentPort;
  guardProcess({ isWorker: true });
  work(port, workerData as WorkerSetup).catch((cause: unknown) => leave(port, cause));
}
