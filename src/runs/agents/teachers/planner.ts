import { z } from 'zod';
import { defineTeacher, word } from '../agent-entry.ts';

export const planner = defineTeacher({
  name: 'planner',
  about: 'A search that sees the state; it can be told to err.',
  /** `errors` is the share of its answers that are wrong. */
  config: z.strictObject({ kind: z.literal('planner'), errors: z.number().min(0).max(1).default(0) }),
  read: word('planner'),
  async open({ errors }, { clock }) {
    const { createPlannerTeacher } = await import('../../../policies/planner-teacher.ts');
    const { createTeachingPlanner } = await import('../teaching-planner.ts');
    return { make: () => createPlannerTeacher({ planner: createTeachingPlanner(clock), errorRate: errors }) };
  },
});
