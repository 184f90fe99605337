import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

/** Syncs the log of a store to the disk and checkpoints it, in a thread of its own: nobody else waits for the disk. */
export interface DiskSync {
  /** Resolves when everything that was committed before survives a power cut. */
  sync(): Promise<void>;
  /** Must come before the store is closed. */
  close(): Promise<void>;
}

/** What the thread answers: null when it is done, else what went wrong. */
export type SyncAnswer = { readonly failure: string | null };

/** What the thread syncs: the log of a store, and after it the files beside the store. */
export interface SyncedFiles {
  readonly path: string;
  readonly beside: readonly string[];
}

export function startDiskSync(files: SyncedFiles): DiskSync {
  const worker = new Worker(new URL(`./disk-sync-thread${extname(import.meta.url)}`, import.meta.url), {
    workerData: files,
  });
  worker.unref();
  const waiting: { resolve(): void; reject(cause: Error): void }[] = [];
  let failure: Error | null = null;
  worker.on('message', ({ failure: problem }: SyncAnswer) => {
    const first = waiting.shift();
    if (problem === null) first?.resolve();
    else first?.reject(new Error(`The log of the store could not be synced: ${problem}`));
  });
  const fail = (cause: Error): void => {
    failure ??= cause;
    for (const { reject } of waiting.splice(0)) reject(failure);
  };
  worker.on('error', fail);
  worker.on('exit', () => fail(new Error('The thread that syncs the store has ended.')));
  const ask = (request: 'sync' | 'close'): Promise<void> =>
    new Promise((resolve, reject) => {
      if (failure !== null) return reject(failure);
      waiting.push({ resolve, reject });
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker is no window
      worker.postMessage(request);
    });
  return {
    sync: () => ask('sync'),
    async close() {
      await ask('close').catch(() => undefined);
      await worker.terminate();
    },
  };
}
