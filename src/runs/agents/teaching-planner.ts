import type { Clock } from '../../core/clock.ts';
import type { Planner } from '../../core/contracts.ts';
import { createPlanner, mostStates } from '../../agents/planner/planner.ts';

/**
 * As many states as admission has, so that what was admitted can be taught. Bounded by states, never by time, and each episode has
 * its own: what a teacher says depends on nothing else.
 */
export function createTeachingPlanner(clock: Clock, maxNodes = mostStates): Planner {
  return createPlanner({ clock, maxNodes, maxMilliseconds: Infinity, patience: 2 });
}
