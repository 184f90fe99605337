import { flushCompileCache } from 'node:module';
import { isMainThread, parentPort, workerData, type MessagePort } from 'node:worker_threads';
import type { ThreadJob, ThreadWork } from '../../runs/jobs/threads.ts';
import { guardProcess } from '../process-guard.ts';
import { wireError, type WireError } from './wire-error.ts';

export type ThreadReply =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'end' }
  | { readonly kind: 'failed'; readonly error: WireError };

/** So many values may wait to be taken. */
const mostWaiting = 64;

/** Sends the values of the work, and waits when nobody takes them. */
async function work(port: MessagePort, { module, data }: ThreadJob): Promise<void> {
  const { run } = (await import(module)) as { readonly run: ThreadWork };
  let waiting = 0;
  let resume = (): void => undefined;
  port.on('message', () => {
    waiting--;
    resume();
  });
  for await (const value of run(data as never)) {
    port.postMessage({ kind: 'value', value } satisfies ThreadReply);
    waiting++;
    if (waiting < mostWaiting) continue;
    await new Promise<void>(resolve => {
      resume = resolve;
    });
  }
  port.postMessage({ kind: 'end' } satisfies ThreadReply);
  // A worker that is ended by force writes nothing.
  flushCompileCache();
}

if (!isMainThread && parentPort !== null) {
  const port = parentPort;
  guardProcess({ isWorker: true });
  work(port, workerData as ThreadJob).catch((cause: unknown) =>
    port.postMessage({ kind: 'failed', error: wireError(cause) } satisfies ThreadReply),
  );
}
