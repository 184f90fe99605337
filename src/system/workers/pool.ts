import type { EpisodeEnd, EpisodeHead } from '../../core/episode/events.ts';
import { EspalierError } from '../../core/errors.ts';
import type { AttemptContext } from '../../episode/attempt.ts';
import type { RecordedPath, Finding } from '../../episode/certify/certify.ts';
import { openLog } from '../../episode/cursor/log.ts';
import type { EpisodePool, PoolOptions } from '../../runs/host/pool.ts';
import { eventsIn, lostEnd, type Entry, type Loss } from './episode-record.ts';
import { startWorker, type Answer, type Asked, type RunningWorker } from './running-worker.ts';
import type { Responder } from '../../episode/cursor/deadline.ts';

export interface WorkerPoolOptions extends PoolOptions {
  /** Threads that run episodes. */
  readonly workers: number;
  /** MiB of heap and buffers that a worker may use. */
  readonly memory?: number;
}

const checkMilliseconds = 200;
/** A worker that was told to stop ends by itself within this time, or by force after it. */
const graceMilliseconds = 2000;
/** Another worker starts when each has so many episodes under way. */
const fewEpisodes = 2;
const defaultMemory = 2048;

// oxlint-disable-next-line max-lines-per-function -- one closure over the workers
export function createWorkerPool(options: WorkerPoolOptions): EpisodePool {
  const { workers: most, memory = defaultMemory, clock } = options;
  let current: PoolOptions = options;
  const running = new Set<RunningWorker>();
  /** One that runs a single episode at a time: it shows which of several broke their worker. */
  let solo: Promise<unknown> = Promise.resolve();
  let isStopped = false;

  const start = (): RunningWorker =>
    startWorker({
      ...current,
      onStray: message => current.onStray(message),
      memory,
      now: () => clock.now(),
    });
  const watching = setInterval(() => {
    for (const worker of running) worker.check(current.stallMilliseconds);
  }, checkMilliseconds);
  const shared = new Set<RunningWorker>();
  const pick = (): RunningWorker => {
    for (const worker of shared) if (worker.isLost()) shared.delete(worker);
    const [least] = [...shared].toSorted((one, other) => one.load() - other.load());
    if (least !== undefined && (least.load() < fewEpisodes || shared.size >= most)) return least;
    const started = start();
    shared.add(started);
    running.add(started);
    return started;
  };
  const askAlone = (request: Asked): Promise<Answer> => {
    const asked = solo.then(async (): Promise<Answer> => {
      if (isStopped) return { kind: 'stopped' };
      const worker = start();
      running.add(worker);
      try {
        return await worker.ask(request);
      } finally {
        await worker.close(graceMilliseconds);
        running.delete(worker);
      }
    });
    solo = asked.catch(() => null);
    return asked;
  };
  const ask = async (request: Asked): Promise<Answer> => {
    if (isStopped) return { kind: 'stopped' };
    const answer = await pick().ask(request);
    return answer.kind === 'lost' && !answer.isAlone && !isStopped ? askAlone(request) : answer;
  };
  const stop = (): void => {
    if (isStopped) return;
    isStopped = true;
    for (const worker of running) void worker.stop(graceMilliseconds);
  };
  const stopsWith = new WeakSet<AbortSignal>();
  const heed = (signal: AbortSignal): void => {
    if (stopsWith.has(signal)) return;
    stopsWith.add(signal);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  };
  const replay = async (path: RecordedPath): Promise<Finding> => {
    const answer = await ask({ kind: 'replay', path });
    if (answer.kind === 'found') return answer.finding;
    if (answer.kind === 'lost') throw brokenReplay(path, answer);
    throw new Error('The run was stopped.');
  };
  return {
    async runEpisode(head, context) {
      heed(context.signal);
      const started = clock.now();
      const distrust = context.distrust?.(head.task.environment) ?? null;
      const answer = await ask({ kind: 'run', head, distrust });
      if (answer.kind === 'found' || answer.kind === 'stopped' || context.signal.aborted) return null;
      const milliseconds = clock.now() - started;
      const end = answer.kind === 'ended' ? answer.end : lostEnd(answer.entries, named(head, answer, milliseconds));
      write(head, context, { entries: answer.entries, end });
      return { stored: { head, events: eventsIn(answer.entries), end, certificates: [] }, replay };
    },
    reopen(next) {
      if (isStopped) return false;
      current = next;
      const { job, data, seed } = next;
      for (const worker of shared) if (!worker.isLost()) worker.open({ job, data, seed });
      return true;
    },
    async close() {
      clearInterval(watching);
      await Promise.all([...running].map(worker => worker.close(graceMilliseconds)));
    },
  };
}

type Lost = Extract<Answer, { kind: 'lost' }>;

function named(head: EpisodeHead, { loss, boundary }: Lost, milliseconds: number): Parameters<typeof lostEnd>[1] {
  const message = `${whose(boundary, head)} broke its worker: ${loss.message}.`;
  return { reason: loss.reason, message, boundary, milliseconds };
}

function whose(boundary: Responder['boundary'], { task, student, teacher, strategy }: EpisodeHead): string {
  if (boundary === 'policy') return `The student "${student}"`;
  if (boundary === 'reviewer') return `The teacher "${teacher}"`;
  if (boundary === 'strategy') return `The strategy "${strategy}"`;
  return `The ${boundary} of task ${task.id}`;
}

/** Writes down what a worker told of an episode. */
function write(
  head: EpisodeHead,
  { journal, signal }: AttemptContext,
  { entries, end }: { readonly entries: readonly Entry[]; readonly end: EpisodeEnd },
): void {
  const log = openLog(journal, head, signal);
  for (const entry of entries) {
    if ('data' in entry) log.attach(entry.data);
    else log.append(entry.event);
  }
  log.end(end);
}

function brokenReplay(
  { task }: RecordedPath,
  { loss, boundary }: { loss: Loss; boundary: Responder['boundary'] },
): EspalierError {
  return new EspalierError({
    boundary,
    code: 'threw',
    message: `The ${boundary} of task ${task.id} broke its worker in a replay: ${loss.message}.`,
    expected: 'Expected code that returns.',
  });
}
