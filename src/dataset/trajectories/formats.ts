import { createRegistry } from '../../core/naming/registry.ts';
import { atif } from './atif.ts';
import type { TrajectoryFormat } from './format.ts';
import { inspect } from './inspect/inspect.ts';
import { openenv } from './openenv.ts';
import { verifiers } from './verifiers.ts';

/** The formats of other tools that whole episodes are written in. */
export const trajectoryFormats = createRegistry<TrajectoryFormat>({
  noun: 'trajectory format',
  plural: 'trajectory-formats',
  about: 'Whole episodes as other tools read them: `espalier export --as`.',
  entries: [inspect, atif, openenv, verifiers],
});
