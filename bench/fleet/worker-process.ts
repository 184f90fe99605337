import { runFleetWorker } from '../../src/fleet/worker/worker.ts';
import { createSystemHost } from '../../src/system/workers/host.ts';

/** So many workers with so many slots in one process; says when all of them are ready. */
const [address = '', workers = '1', slots = '8', lease = '20'] = process.argv.slice(2);
const stop = new AbortController();
process.on('SIGTERM', () => stop.abort());
// Whoever started it holds the other end.
process.stdin.on('close', () => process.exit()).resume();
let ready = 0;
await Promise.all(
  Array.from({ length: Number(workers) }, () =>
    runFleetWorker({
      address,
      version: 'bench',
      slots: Number(slots),
      browsers: 0,
      lease: Number(lease),
      host: 'bench',
      pid: process.pid,
      signal: stop.signal,
      machine: createSystemHost({ workers: 0 }),
      onReady: () => void (++ready === Number(workers) && process.stdout.write('ready\n')),
    }),
  ),
);
// The other end is still held.
process.exit();
