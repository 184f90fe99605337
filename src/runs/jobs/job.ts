import type { Clock } from '../../core/clock.ts';
import type { Awaitable, Environment } from '../../core/contracts.ts';
import type { EpisodeHead } from '../../core/episode/events.ts';
import type { EpisodeParts } from '../../rollout/attempt.ts';
import type { RunEpisode } from '../../rollout/engine.ts';
import type { Host } from '../host.ts';

/** What a worker runs episodes with. */
export interface EpisodeJob {
  start(head: EpisodeHead): Awaitable<EpisodeParts>;
  environment(id: string): Environment;
  close(): Promise<void>;
}

/** Exported by the module of a job as `openJob`: called once in every worker. */
export type OpenJob = (data: never, host: Host) => Promise<EpisodeJob>;

export interface PoolOptions {
  /** URL of a module that exports `openJob`. */
  readonly job: string;
  /** Given to `openJob`. Only what can be copied to another thread. */
  readonly data: unknown;
  /** All chance of an episode comes from this and from its key. */
  readonly seed: string;
  readonly clock: Clock;
  /** Milliseconds that code may run without giving others a turn, before its worker is ended. */
  readonly stallMilliseconds: number;
  /** Told of an error that belongs to no episode under way. */
  onStray(message: string): void;
}

/** Runs episodes in worker threads. Code that breaks its worker costs one episode. */
export interface EpisodePool {
  readonly runEpisode: RunEpisode;
  close(): Promise<void>;
}

/** Worker threads of this machine. */
export interface Workers {
  start(options: PoolOptions): EpisodePool;
}
