import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Plan } from '../../core/contracts.ts';
import type { PlanInThread, PlanRequest } from '../../serve/assembly/served-planner.ts';

/** What the worker is told. */
export interface PlanMessage extends PlanRequest {
  readonly id: number;
}

/** What it answers. */
export type PlanReply = { readonly id: number; readonly plan: Plan } | { readonly id: number; readonly error: string };

export interface PlanThread {
  readonly plan: PlanInThread;
  close(): Promise<void>;
}

/** A plan that takes longer is given up, with the thread that makes it. */
const planMilliseconds = 60_000;

/**
 * Plans in a thread of its own, so that a search of seconds holds nobody up. The thread opens the environments by their
 * names when it is first asked.
 */
export function createPlanThread(names: readonly string[]): PlanThread {
  let worker: Worker | null = null;
  let next = 0;
  const pending = new Map<number, { resolve(plan: Plan): void; reject(cause: Error): void }>();
  const fail = (cause: Error): void => {
    worker = null;
    for (const { reject } of pending.values()) reject(cause);
    pending.clear();
  };
  const start = (): Worker => {
    const started = new Worker(new URL(`./plan-worker${extname(import.meta.url)}`, import.meta.url), {
      workerData: names,
      stdout: true,
    });
    // What code of users prints is no result: results alone go to standard output.
    started.stdout.pipe(process.stderr, { end: false });
    started.unref();
    started.on('message', (reply: PlanReply) => {
      const asked = pending.get(reply.id);
      pending.delete(reply.id);
      if ('plan' in reply) asked?.resolve(reply.plan);
      else asked?.reject(new Error(reply.error));
    });
    started.on('error', cause => worker === started && fail(cause as Error));
    started.on('exit', () => worker === started && fail(new Error('The thread that plans has ended.')));
    return started;
  };
  const close = async (): Promise<void> => {
    const ended = worker;
    fail(new Error('The thread that plans was ended.'));
    await ended?.terminate();
  };
  return {
    close,
    async plan(request) {
      worker ??= start();
      const id = ++next;
      const asked = Promise.withResolvers<Plan>();
      pending.set(id, asked);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker is no window
      worker.postMessage({ ...request, id } satisfies PlanMessage);
      const timer = setTimeout(() => pending.has(id) && void close(), planMilliseconds);
      try {
        return await asked.promise;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
