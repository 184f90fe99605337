import { z } from 'zod';
import { createManualClock } from '../../../core/clock.ts';
import { defineStudent, word } from '../agent-entry.ts';

export const planner = defineStudent({
  name: 'planner',
  about: 'A search that sees the state; its steps are demonstrations, not a student’s.',
  config: z.strictObject({
    kind: z.literal('planner'),
    nodes: z.int().positive().optional().describe('states it may expand in search of a way; 5,000 when left out'),
    errors: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe('share of its steps that are drawn at random; none when left out'),
  }),
  read: word('planner'),
  isBaseline: true,
  async open({ nodes, errors }) {
    const { createPlannerPolicy } = await import('../../../agents/planner/planner-teacher.ts');
    const { createTeachingPlanner } = await import('../teaching-planner.ts');
    // It is bounded by states: no clock decides what it does.
    return { make: () => createPlannerPolicy(createTeachingPlanner(createManualClock(), nodes), errors) };
  },
});
