import { extname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { EpisodeEnd } from '../../core/episode/events.ts';
import { causeText } from '../../core/errors.ts';
import type { Responder } from '../../episode/cursor/deadline.ts';
import type { PoolOptions } from '../../runs/host/pool.ts';
import type { Entry, Loss } from './episode-record.ts';
import {
  createMarks,
  marksBytes,
  type Marks,
  type WorkerJob,
  type WorkerReply,
  type WorkerRequest,
} from './messages.ts';
import { createStallClock } from './stall-clock.ts';
import { workerVariables } from './worker-variables.ts';
import { errorFrom } from './wire-error.ts';

/** What came of a request: `lost` when the worker broke before it answered. */
export type Answer =
  | { readonly kind: 'ended'; readonly entries: readonly Entry[]; readonly end: EpisodeEnd }
  | { readonly kind: 'found'; readonly finding: Extract<WorkerReply, { kind: 'finding' }>['finding'] }
  | { readonly kind: 'stopped' }
  | {
      readonly kind: 'lost';
      readonly entries: readonly Entry[];
      readonly loss: Loss;
      /** Whose code ran last. */
      readonly boundary: Responder['boundary'];
      /** Whether nothing else ran in the worker. */
      readonly isAlone: boolean;
    };

export type Asked =
  Extract<WorkerRequest, { id: number }> extends infer Request
    ? Request extends { id: number }
      ? Omit<Request, 'id'>
      : never
    : never;

/** A thread that runs episodes. */
export interface RunningWorker {
  /** Answers when it is done. Throws when no episode would fare better. */
  ask(request: Asked): Promise<Answer>;
  /** Opens another job in it: later requests are for that one. */
  open(job: WorkerJob): void;
  /** Requests that are not answered yet. */
  load(): number;
  isLost(): boolean;
  /** Ends it if it has computed for so long without a turn while something is under way. */
  check(milliseconds: number): void;
  /** Tells it to end what is under way; ends it by force after the grace. */
  stop(graceMilliseconds: number): Promise<void>;
  /** Lets it close what it has open. */
  close(graceMilliseconds: number): Promise<void>;
}

export interface StartOptions extends WorkerJob, Pick<PoolOptions, 'onStray'> {
  /** MiB, of heap and buffers, that it is ended at. */
  readonly memory: number;
  now(): number;
}

/** Modules may take so long to load. */
const startMilliseconds = 60_000;
/** The longest native call that is waited for, and how often it is looked whether it has returned. */
const nativeMilliseconds = 60_000;
const lookMilliseconds = 20;
/** A heap holds garbage, too: one above its limit has so long to fall, unless it is this many times as large. */
const garbageMilliseconds = 5000;
const mostGarbage = 1.5;

interface Pending {
  readonly entries: Entry[];
  settle(answer: Answer): void;
  fail(cause: unknown): void;
}

// oxlint-disable-next-line max-lines-per-function -- one closure over the state of a worker
export function startWorker({ job, data, seed, memory, now, onStray }: StartOptions): RunningWorker {
  const shared = new SharedArrayBuffer(marksBytes);
  const marks = createMarks(shared);
  const worker = new Worker(new URL(`./worker${extname(import.meta.url)}`, import.meta.url), {
    workerData: { job, data, seed, marks: shared },
    env: workerVariables(),
    // Far above what we end it at: V8 may end the whole process at its own limit.
    resourceLimits: { maxOldGenerationSizeMb: 2 * memory + 512 },
    stdout: true,
  });
  // What code of users prints is no result: results alone go to standard output. A pipe of each thread would be taken for a leak.
  worker.stdout.on('data', (chunk: Buffer) => process.stderr.write(chunk));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker is no window
  const send = (request: WorkerRequest): void => worker.postMessage(request);
  const pending = new Map<number, Pending>();
  const gone = Promise.withResolvers<void>();
  let [next, isReady, isLost, isClosing] = [0, false, false, false];
  let loss: Loss | null = null;
  let heavySince: number | null = null;
  const stall = createStallClock(worker, now);

  const lose = (found: Loss): void => {
    loss ??= found;
    // A worker that closes exits; an error is news even then.
    const isNews = !isLost && (!isClosing || loss.reason === 'threw');
    isLost = true;
    const boundary = marks.entered();
    // An earlier episode may have left behind what broke the worker; a loop is of whoever is under way.
    const isAlone = pending.size === 1 && (next === 1 || loss.reason === 'deadline');
    if (isNews && !isAlone) onStray(loss.message);
    for (const { entries, settle } of pending.values()) settle({ kind: 'lost', entries, loss, boundary, isAlone });
    pending.clear();
  };
  const end = (found: Loss): void => {
    lose(found);
    void endBetweenNativeCalls(worker, marks);
  };
  const weigh = (): void => {
    worker.getHeapStatistics().then(
      ({ used_heap_size: heap, external_memory: buffers }) => {
        const share = (heap + buffers) / (memory * 2 ** 20);
        if (share <= 1) heavySince = null;
        else heavySince ??= now();
        const isGarbage = share < mostGarbage && heavySince !== null && now() - heavySince < garbageMilliseconds;
        if (share > 1 && !isGarbage && !isLost) end(outOfMemory(memory));
      },
      // It has ended meanwhile.
      () => undefined,
    );
  };
  const take = (id: number): Pending | undefined => {
    const found = pending.get(id);
    pending.delete(id);
    return found;
  };
  worker.on('message', (reply: WorkerReply) => {
    if (reply.kind === 'ready') {
      isReady = true;
      stall.reset();
    } else if (reply.kind === 'entry') pending.get(reply.id)?.entries.push(reply.entry);
    else if (reply.kind === 'stopped') take(reply.id)?.settle({ kind: 'stopped' });
    else if (reply.kind === 'finding') take(reply.id)?.settle({ kind: 'found', finding: reply.finding });
    else if (reply.kind === 'end') {
      const found = take(reply.id);
      found?.settle({ kind: 'ended', entries: found.entries, end: reply.end });
    } else if (reply.kind === 'broken') end({ reason: 'threw', message: reply.message });
    else if (reply.id !== null) take(reply.id)?.fail(errorFrom(reply.error));
    else {
      isLost = true;
      for (const { fail } of pending.values()) fail(errorFrom(reply.error));
      pending.clear();
    }
  });
  // The error comes by a way of its own and may overtake entries; all of them are here when it exits.
  worker.on('error', cause => {
    loss ??= lossFrom(cause, memory);
  });
  worker.on('exit', code => {
    lose({ reason: 'exited', message: `the code ended its process with exit code ${code}` });
    gone.resolve();
  });
  const leave = async (grace: number, requests: readonly WorkerRequest[]): Promise<void> => {
    if (isLost) return gone.promise;
    isClosing = true;
    for (const request of requests) send(request);
    const late = setTimeout(() => end({ reason: 'stopped', message: 'the run was stopped' }), grace);
    await gone.promise;
    clearTimeout(late);
  };
  return {
    ask(request) {
      const id = ++next;
      if (pending.size === 0) stall.reset();
      return new Promise((settle, fail) => {
        pending.set(id, { entries: [], settle, fail });
        send({ ...request, id } as WorkerRequest);
      });
    },
    open(another) {
      isReady = false;
      send({ kind: 'open', ...another });
    },
    load: () => pending.size,
    isLost: () => isLost || loss !== null,
    check(milliseconds) {
      if (pending.size > 0) weigh();
      if (pending.size === 0) stall.reset();
      else stall.look(marks.beats());
      const most = isReady ? milliseconds : Math.max(milliseconds, startMilliseconds);
      if (stall.stalled() > most)
        end({ reason: 'deadline', message: `the code did not return in ${Math.round(most)} ms of processor time` });
    },
    stop: grace => leave(grace, [{ kind: 'stop' }, { kind: 'close' }]),
    close: grace => leave(grace, [{ kind: 'close' }]),
  };
}

/** Native calls return; where the thread never hears of it, code of the user's does not. */
async function endBetweenNativeCalls(worker: Worker, marks: Marks): Promise<void> {
  for (let waited = 0; marks.nativeCalls() > 0 && waited < nativeMilliseconds; waited += lookMilliseconds)
    await sleep(lookMilliseconds);
  await worker.terminate();
}

function lossFrom(cause: unknown, memory: number): Loss {
  if ((cause as { code?: unknown } | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY') return outOfMemory(memory);
  return { reason: 'threw', message: `an error nobody caught: ${causeText(cause)}` };
}

function outOfMemory(memory: number): Loss {
  return { reason: 'out of memory', message: `the code used more than ${memory} MiB of memory` };
}
