import { createManualClock } from '../../core/clock.ts';
import type { Planner } from '../../core/contracts.ts';
import { createPlanner, mostStates } from '../../agents/planner/planner.ts';

/** The planner of ladders: bounded by states, so that no clock decides what is admitted. */
export function createLadderPlanner(maxNodes = mostStates): Planner {
  return createPlanner({ clock: createManualClock(), maxNodes });
}
