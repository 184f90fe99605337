import type { Awaitable, Environment } from '../../core/contracts.ts';
import type { EpisodeHead } from '../../core/episode/events.ts';
import type { EpisodeParts } from '../../episode/attempt.ts';
import type { Host } from '../host/host.ts';

/** What a worker runs episodes with. */
export interface EpisodeJob {
  start(head: EpisodeHead): Awaitable<EpisodeParts>;
  environment(id: string): Environment;
  close(): Promise<void>;
}

/** Exported by the module of a job as `openJob`: called once in every worker. */
export type OpenJob = (data: never, host: Host) => Promise<EpisodeJob>;
