import type { StateEnvironment } from '../../core/contracts.ts';
import { admitWorld, type WorldLadderOptions } from '../../forge/admission/world-ladder.ts';
import type { Source } from '../../worlds/family.ts';
import { createLadderPlanner } from './ladder-planner.ts';

/** A made world whose tasks are admitted by the ladder of worlds. */
export function admittedSource(
  environment: StateEnvironment,
  known: Pick<WorldLadderOptions, 'baselines' | 'fault'>,
): Source {
  return {
    environment,
    admit: (templates, seeds) =>
      admitWorld(environment, { ...known, planner: createLadderPlanner(), templates, seeds }),
  };
}
