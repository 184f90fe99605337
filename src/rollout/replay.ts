import type { Clock, Timers } from '../core/clock.ts';
import type { Environment } from '../core/contracts.ts';
import { createBudget, limitsFor, type Limits } from './budget.ts';
import { certify, type Finding, type RecordedPath } from './certify.ts';
import { createGuard } from './deadline.ts';
import { watchWorld } from './watched-world.ts';

/** Replays a recorded path in a fresh session, and says whether everything came out as recorded. */
export type ReplayPath = (path: RecordedPath) => Promise<Finding>;

export interface ReplayOptions {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly signal: AbortSignal;
  readonly limits?: Partial<Limits> | undefined;
}

/** Replays in this thread. The time limit of the episode does not apply; each answer keeps its deadline. */
export function replayIn(environment: Environment, { clock, timers, signal, limits }: ReplayOptions): ReplayPath {
  return path => {
    const budget = createBudget({ ...limitsFor(path.task, limits), milliseconds: Infinity }, clock);
    return certify(watchWorld(environment, createGuard({ budget, timers, signal })), path);
  };
}
