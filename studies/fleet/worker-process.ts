import { runFleetWorker } from '../../src/fleet/worker/worker.ts';
import { createSystemHost } from '../../src/system/workers/host.ts';
import { measuredVersion } from './measured-fleet.ts';

/** Several workers of one slot in a process: all of them say that they are ready before a byte is written. */
const [address = '', workers = '1'] = process.argv.slice(2);
const stop = new AbortController();
process.on('SIGTERM', () => stop.abort());
let ready = 0;
await Promise.all(
  Array.from({ length: Number(workers) }, () =>
    runFleetWorker({
      address,
      version: measuredVersion,
      slots: 1,
      browsers: 0,
      lease: 20,
      host: 'study',
      pid: process.pid,
      signal: stop.signal,
      machine: createSystemHost({ workers: 0 }),
      onReady: () => void (++ready === Number(workers) && process.stdout.write('ready\n')),
    }),
  ),
);
