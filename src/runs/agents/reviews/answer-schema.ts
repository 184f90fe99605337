import { z } from 'zod';
import { actionSchema } from '../../../core/action.ts';

/** What a person may answer to a question of a run. */
export const answerSchema = z.union([
  z.strictObject({ kind: z.literal('review'), accept: z.literal(true) }),
  z.strictObject({
    kind: z.literal('review'),
    accept: z.literal(false),
    at: z.int().nonnegative(),
    reason: z.string().trim().min(1).max(2000),
  }),
  z.strictObject({ kind: z.literal('correct'), action: actionSchema.nullable() }),
]);

export const personSchema = z.string().trim().min(1).max(60);
