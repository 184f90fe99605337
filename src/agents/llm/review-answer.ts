import { z } from 'zod';
import { findObjects } from '../../core/chat/answer-json.ts';
import type { ChatRequest } from '../../core/chat/chat.ts';
import type { JsonObject } from '../../core/json.ts';
import { describeIssues } from '../../core/records.ts';

/** What a reviewer answers; its steps are counted from 1, as it is shown them. */
const reviewAnswerSchema = z.strictObject({
  reason: z.string(),
  accept: z.boolean(),
  /** The first harmful step; null when accepted. */
  step: z.int().positive().nullable(),
});

export const reviewFormat: NonNullable<ChatRequest['format']> = {
  name: 'review',
  schema: {
    type: 'object',
    properties: {
      reason: { type: 'string', description: 'Why, in a sentence.' },
      accept: { type: 'boolean', description: 'Whether the whole branch is accepted.' },
      step: { type: ['integer', 'null'], description: 'The number of the first harmful step; null when accepted.' },
    },
    required: ['reason', 'accept', 'step'],
    additionalProperties: false,
  } satisfies JsonObject,
};

export type ReadReview =
  | { readonly accept: true }
  | { readonly accept: false; readonly at: number; readonly reason: string }
  | { readonly problem: string };

/** Reads the answer to a branch of so many steps. */
export function readReviewAnswer(text: string, length: number): ReadReview {
  const last = findObjects(text).at(-1);
  if (last === undefined) return { problem: 'The answer has no JSON object in it.' };
  const parsed = reviewAnswerSchema.safeParse(last.value);
  if (!parsed.success) return { problem: `The answer does not fit: ${describeIssues(parsed.error)}.` };
  const { accept, step, reason } = parsed.data;
  if (accept) {
    return step === null ? { accept } : { problem: `The answer accepts the branch and rejects its step ${step}.` };
  }
  if (step === null || step > length) {
    return { problem: `The answer rejects step ${step}, and the branch has the steps 1 to ${length}.` };
  }
  if (reason.trim() === '') return { problem: 'The answer rejects a step without a reason.' };
  return { accept, at: step - 1, reason };
}
