import { z } from 'zod';
import { actionSchema } from '../action.ts';
import { taskSchema } from '../records.ts';

/** The member of a request that only policies of ours, served by us, understand. */
export const servedMember = 'espalier';

const place = {
  /** The name of the random stream to sample from. */
  random: z.string(),
  /** Questions of one episode come in order and go to one agent, whose memory shapes its answers. */
  episode: z.string().min(1),
  /** Sealed: whoever may see the state opens it and walks the path. */
  task: taskSchema,
  /** The steps from the start to where the question is asked, to before the branch for a review. */
  path: z.array(actionSchema).readonly(),
};

/** What a served policy is told beside the chat: enough to rebuild the state, and to draw what it would draw in process. */
export const servedQuestionSchema = z.discriminatedUnion('question', [
  z.strictObject({ question: z.literal('act'), ...place }),
  z.strictObject({ question: z.literal('review'), ...place, branch: z.array(actionSchema).min(1).readonly() }),
  z.strictObject({
    question: z.literal('correct'),
    ...place,
    reason: z.string(),
    /** Null when the student had nothing to offer. */
    rejected: actionSchema.nullable(),
  }),
]);
export type ServedQuestion = z.infer<typeof servedQuestionSchema>;
