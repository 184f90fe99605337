import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startWorker } from './running-worker.ts';

test('[WORK-9] a worker that has to end does so after its call into native code, not in the middle of it', async () => {
  const cell = new SharedArrayBuffer(4);
  const cells = new Int32Array(cell);
  const worker = startWorker({
    job: new URL('../../../test/fixtures/workers/native-job.ts', import.meta.url).href,
    data: { cell, milliseconds: 400 },
    seed: 'seed',
    memory: 256,
    now: () => performance.now(),
    onStray: () => undefined,
  });
  while (Atomics.load(cells, 0) === 0) await sleep(5);
  await worker.stop(10);
  expect(Atomics.load(cells, 0)).toBe(2);
});

test('[WORK-10] as many workers as a large machine has are no reason for a warning', async () => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error): void => void warnings.push(warning);
  process.on('warning', onWarning);
  const options = {
    job: new URL('../../../test/fixtures/workers/native-job.ts', import.meta.url).href,
    data: { cell: new SharedArrayBuffer(4), milliseconds: 1 },
    seed: 'seed',
    memory: 256,
    now: () => performance.now(),
    onStray: () => undefined,
  };
  const workers = Array.from({ length: 12 }, () => startWorker(options));
  await Promise.all(workers.map(worker => worker.stop(10)));
  process.off('warning', onWarning);
  expect(warnings).toEqual([]);
});
