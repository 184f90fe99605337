import type { Clock } from '../../core/clock.ts';
import type { Planner } from '../../core/contracts.ts';
import { createPlanner } from '../../agents/planner/planner.ts';

/**
 * Enough for teaching, and far cheaper than searching to the end. Bounded by states, never by time, and each episode has
 * its own: what a teacher says depends on nothing else.
 */
export function createTeachingPlanner(clock: Clock): Planner {
  return createPlanner({ clock, maxNodes: 600, maxMilliseconds: Infinity, patience: 2 });
}
