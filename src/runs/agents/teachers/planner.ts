import { z } from 'zod';
import { defineTeacher, word } from '../agent-entry.ts';

export const planner = defineTeacher({
  name: 'planner',
  about: 'A search that sees the state; it can be told to err.',
  config: z.strictObject({
    kind: z.literal('planner'),
    errors: z.number().min(0).max(1).default(0).describe('share of its answers that are wrong'),
    strict: z.boolean().default(false).describe('reject neutral steps as well'),
  }),
  read: word('planner'),
  async open({ errors: errorRate, strict }, { clock }) {
    const { createPlannerTeacher } = await import('../../../agents/planner/planner-teacher.ts');
    const { createTeachingPlanner } = await import('../teaching-planner.ts');
    return { make: () => createPlannerTeacher({ planner: createTeachingPlanner(clock), errorRate, strict }) };
  },
});
