import type { Clock } from '../../core/clock.ts';
import type { RunEpisode } from '../../rollout/engine.ts';

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
