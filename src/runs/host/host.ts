import type { Clock, Timers } from '../../core/clock.ts';
import type { SharedBudget } from './budget.ts';
import type { Fleet } from './fleet.ts';
import type { EpisodePool, PoolRequest, Workers } from './pool.ts';

/** What a run takes from the machine and the program around it; nothing in this layer reads them by itself. */
export interface Host {
  readonly clock: Clock;
  readonly timers: Timers;
  /** Runs episodes beside each other; without it they share one thread. */
  readonly workers?: Workers | undefined;
  /** Runs episodes one by one in a process that nothing else is lost with. */
  readonly alone?: { start(request: PoolRequest): EpisodePool } | undefined;
  /** Other machines, which run the episodes in the place of this one. */
  readonly fleet?: Fleet | undefined;
  /** Of the run that is worked on, where other machines work on it as well: models are asked against it. */
  readonly budget?: SharedBudget | undefined;
  /** An environment variable: API keys, and how the browser is started. */
  variable(name: string): string | undefined;
  /** Takes a remark for the user that is no result. */
  onNotice(text: string): void;
}
