import { createManualClock } from '../../core/clock.ts';
import type { Planner } from '../../core/contracts.ts';
import { createPlanner } from '../../agents/planner/planner.ts';

const usualStates = 2000;

/** The planner of ladders: bounded by states, so that no clock decides what is admitted. */
export function createLadderPlanner(mostStates = usualStates): Planner {
  return createPlanner({ clock: createManualClock(), maxNodes: mostStates });
}
