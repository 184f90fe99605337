import type { StateEnvironment } from '../../core/contracts.ts';
import { admitWorld } from '../../forge/admission/world-ladder.ts';
import type { OwnLadder } from '../../worlds/admission.ts';
import type { Source } from '../../worlds/family.ts';
import { createLadderPlanner } from './ladder-planner.ts';

/** Sends templates up the ladder that comes with an environment; null where none does. */
export function admitSource(
  source: Source,
  templates: readonly string[],
  seeds: number,
): ReturnType<OwnLadder['admit']> | null {
  if (!('environment' in source) || source.ladder === undefined) return null;
  const { environment, ladder } = source;
  if ('admit' in ladder) return ladder.admit(templates, seeds);
  // The ladder of worlds is for those whose sessions show their state.
  return admitWorld(environment as StateEnvironment, { ...ladder, planner: createLadderPlanner(), templates, seeds });
}
