import { extname } from 'node:path';
import type { RunEpisode } from '../../episode/engine.ts';
import type { AttemptContext } from '../../episode/attempt.ts';
import type { WorkerNeeds } from '../host/fleet.ts';
import type { Host } from '../host/host.ts';
import type { OpenJob } from './job.ts';
import { startPool } from './start-pool.ts';
import type { PoolRequest } from '../host/pool.ts';

/** What runs the episodes of a job on this machine: threads, or this thread. */
export interface OpenedJob extends Pick<AttemptContext, 'start'> {
  readonly runEpisode?: RunEpisode;
  close(): Promise<void>;
}

/** Opens a job that may have been written on another machine. Pages and models are asked from this thread. */
export async function openJobHere(host: Host, request: PoolRequest, needs: WorkerNeeds): Promise<OpenedJob> {
  const pool = needs === 'core' ? startPool(host, request) : null;
  if (pool !== null)
    return {
      runEpisode: pool.runEpisode,
      start: () => Promise.reject(new Error('Episodes start in threads.')),
      close: pool.close,
    };
  const url = new URL(`./${request.job}${extname(import.meta.url)}`, import.meta.url).href;
  const { openJob } = (await import(url)) as { openJob: OpenJob };
  const job = await openJob(request.data as never, host);
  return { start: head => job.start(head), close: job.close };
}
