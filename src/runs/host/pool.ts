import type { Clock } from '../../core/clock.ts';
import type { RunEpisode } from '../../episode/engine.ts';

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

/** What is opened to run the episodes of a run. Only what can be written down. */
export interface PoolRequest {
  readonly job: 'collect-job' | 'evaluate-job';
  readonly data: unknown;
  readonly seed: string;
  readonly environments: readonly string[];
  /** Files of the user's agents. */
  readonly modules: readonly string[];
  /** Episodes to run. */
  readonly episodes: number;
  /** Limit of an episode; null for none. */
  readonly seconds: number | null;
}

/** Runs episodes in worker threads. Code that breaks its worker costs one episode. */
export interface EpisodePool {
  readonly runEpisode: RunEpisode;
  /**
   * Runs the episodes of another job from now on, in the workers that have started. No episode may be under way. False when
   * the pool was stopped: its workers cannot be used any more.
   */
  reopen?(options: PoolOptions): boolean;
  close(): Promise<void>;
}

/** Worker threads of this machine. */
export interface Workers {
  start(options: PoolOptions): EpisodePool;
}
