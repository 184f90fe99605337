import { availableParallelism, hostname } from 'node:os';
import { runFleetWorker } from '../../fleet/worker/worker.ts';
import { count } from '../../core/text.ts';
import { HttpError, listen, pathOf, sendJson } from '../../serve/http.ts';
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
  /** Port for probes. */
  readonly health?: number;
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
  const probes = await answerProbes(request.health);
  const ready = (id: string): void => {
    probes.isReady = true;
    if (json) output.json({ worker: id, slots });
    else output.line(`Worker ${id}: ${count(slots, 'slot')}.`);
  };
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
      onReady: ready,
    });
    await probes.close();
    if (json) output.json({ episodes });
    else output.line(`Left the fleet after ${count(episodes, 'episode')}.`);
    return 0;
  });
}

interface Probes {
  /** Whether the fleet knows the worker. */
  isReady: boolean;
  close(): Promise<void>;
}

/** Answers whoever looks after the machine: alive while its event loop turns, ready when it is in the fleet. */
async function answerProbes(port: number | undefined): Promise<Probes> {
  if (port === undefined) return { isReady: false, close: () => Promise.resolve() };
  const server = await listen(
    (request, response) => {
      const path = pathOf(request);
      if (path !== '/healthz' && path !== '/readyz') throw new HttpError(404, 'Look at /healthz or /readyz.');
      const isGood = path === '/healthz' || probes.isReady;
      sendJson(response, isGood ? 200 : 503, { ready: probes.isReady });
    },
    { host: '0.0.0.0', port },
  );
  const probes: Probes = { isReady: false, close: () => server.close(AbortSignal.abort()) };
  return probes;
}
