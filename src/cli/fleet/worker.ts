import { availableParallelism, hostname } from 'node:os';
import { runFleetWorker } from '../../fleet/worker/worker.ts';
import { count } from '../../core/text.ts';
import { createAlonePool } from '../../system/alone/alone-pool.ts';
import { packageRevision } from '../../system/about.ts';
import { createSystemHost } from '../../system/workers/host.ts';
import type { ExitCode, Output } from '../terminal/output.ts';
import { stoppable } from '../terminal/stop.ts';

export interface WorkerRequest {
  readonly queue: string;
  readonly slots?: number;
  readonly browser: number;
  readonly lease: number;
  readonly workers?: number;
  readonly json?: boolean;
}

/** Enough to keep the cores busy while episodes are fetched and committed. */
const slotsForCore = 4;

export async function worker(output: Output, request: WorkerRequest): Promise<ExitCode> {
  const { queue: address, lease, workers, json = false } = request;
  const { slots = slotsForCore * availableParallelism(), browser: browsers } = request;
  const machine = createSystemHost({ workers });
  const alone = { start: (job: Parameters<typeof createAlonePool>[0]) => createAlonePool(job, machine.clock.now) };
  return stoppable<ExitCode>(output, async ({ signal }) => {
    const { episodes } = await runFleetWorker({
      address,
      slots,
      browsers,
      lease,
      signal,
      machine: { ...machine, alone, onNotice: output.note },
      host: hostname(),
      pid: process.pid,
      version: packageRevision(),
      onReady: id =>
        json ? output.json({ worker: id, slots }) : output.line(`Worker ${id}: ${count(slots, 'slot')}.`),
    });
    if (json) output.json({ episodes });
    else output.line(`Left the fleet after ${count(episodes, 'episode')}.`);
    return 0;
  });
}
