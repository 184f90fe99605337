import { z } from 'zod';
import { createManualClock } from '../../../core/clock.ts';
import { defineStudent, word } from '../agent-entry.ts';

/** It gives up sooner than a teacher: where a defence shuts the way, a search would go through everything else. */
const mostStates = 400;

export const gullible = defineStudent({
  name: 'gullible',
  about: 'Does the task by planning, and obeys whatever it reads on the way: for threats and their defences.',
  config: z.strictObject({ kind: z.literal('gullible') }),
  read: word('gullible'),
  async open() {
    const { createGullible } = await import('../../../agents/gullible.ts');
    const { createTeachingPlanner } = await import('../teaching-planner.ts');
    return { make: () => createGullible(createTeachingPlanner(createManualClock(), mostStates)) };
  },
});
