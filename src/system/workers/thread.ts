import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { RunningThread, ThreadJob } from '../../runs/jobs/threads.ts';
import type { ThreadReply } from './thread-worker.ts';
import { workerVariables } from './worker-variables.ts';
import { errorFrom, wireError } from './wire-error.ts';

/** Starts the work of a job in a thread of its own. */
export function startThread(job: ThreadJob): RunningThread {
  const worker = new Worker(new URL(`./thread-worker${extname(import.meta.url)}`, import.meta.url), {
    workerData: job,
    env: workerVariables(),
    // What work makes is short-lived: room for more of it is memory without use, in each thread.
    resourceLimits: { maxYoungGenerationSizeMb: 32 },
    stdout: true,
  });
  // What code of users prints is no result: results alone go to standard output.
  worker.stdout.pipe(process.stderr, { end: false });
  const replies: ThreadReply[] = [];
  let wake = (): void => undefined;
  const tell = (reply: ThreadReply): void => {
    replies.push(reply);
    wake();
  };
  worker.on('message', tell);
  worker.on('error', cause => tell({ kind: 'failed', error: wireError(cause) }));
  worker.on('exit', code => tell({ kind: 'failed', error: wireError(new Error(`The thread exited with ${code}.`)) }));
  return {
    async next() {
      while (replies.length === 0)
        await new Promise<void>(resolve => {
          wake = resolve;
        });
      // What comes after the end, or after an error, is the exit of the thread: the first stays for whoever asks again.
      const [reply] = replies as [ThreadReply];
      if (reply.kind === 'end') return null;
      if (reply.kind === 'failed') throw errorFrom(reply.error);
      replies.shift();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker is no window
      worker.postMessage('taken');
      return reply.value;
    },
    async close() {
      await worker.terminate();
    },
  };
}
