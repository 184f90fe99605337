import { z } from 'zod';
import { chatMessageSchema, chatReplySchema } from '../../../core/chat/chat.ts';
import { checkResultSchema } from '../../../core/records.ts';
import { faultSchema } from '../faults.ts';
import { piecesSchema } from './pieces.ts';

/** A session, each of whose attempts ends with a verdict, and the calls of an attempt, from 0. */
const placeSchema = z.strictObject({
  session: z.string(),
  attempt: z.int().positive(),
  index: z.int().nonnegative(),
});
export type CallPlace = z.infer<typeof placeSchema>;

/** In milliseconds since 1970. */
const time = z.number();

/** What tells a key without saying it. */
const ownerSchema = z.strictObject({ salt: z.string(), hash: z.string() });
export type Owner = z.infer<typeof ownerSchema>;

/** Written when a call arrives. */
const askSchema = placeSchema.extend({
  kind: z.literal('ask'),
  time,
  dialect: z.enum(['openai', 'responses', 'anthropic']),
  /** Whom it was passed on to. */
  endpoint: z.string(),
  /** The body, byte for byte, as the harness sent it. */
  body: z.string(),
  fault: faultSchema.nullable(),
  /** With the first call that has a key: nobody without it adds calls to the session. */
  owner: ownerSchema.optional(),
});

/** Written before the last of the answer goes out: nothing that was answered can be missing. */
const answerSchema = placeSchema.extend({
  kind: z.literal('answer'),
  time,
  /** As the harness heard it; null when it heard none. */
  status: z.int().nullable(),
  /** Null when the call was refused, cut, or answered with what cannot be read. */
  reply: chatReplySchema.nullable(),
  /** What had come of the reply when it was cut. */
  partial: chatMessageSchema.options[2].nullable(),
  /** Whether the harness heard only a part. */
  cut: z.boolean(),
  /** Why there is no reply. */
  problem: z.string().nullable(),
});

/** The problem of a call whose harness did not wait for the answer. */
export const hungUp = 'The harness hung up.';

export const submittedVerdictSchema = z.strictObject({
  pass: z.boolean(),
  checks: z.array(checkResultSchema).readonly().optional(),
});
/** A verdict that was submitted for an attempt. */
export type SubmittedVerdict = z.infer<typeof submittedVerdictSchema>;

const verdictLineSchema = placeSchema
  .omit({ index: true })
  .extend({ kind: z.literal('verdict'), time, ...submittedVerdictSchema.shape });

/** A problem of the record itself. */
const noteSchema = placeSchema.omit({ index: true }).extend({ kind: z.literal('note'), time, text: z.string() });

/** A line of the record of a session. */
export type Line = AskLine | AnswerLine | z.infer<typeof verdictLineSchema> | z.infer<typeof noteSchema>;

/** A line as it is kept: bodies and tokens of prompts by what is new in them. Earlier versions kept them whole. */
export const storedLineSchema = z.discriminatedUnion('kind', [
  askSchema.extend({ body: z.union([z.string(), piecesSchema]) }),
  answerSchema.extend({ prompt: piecesSchema.optional() }),
  verdictLineSchema,
  noteSchema,
]);
export type StoredLine = z.infer<typeof storedLineSchema>;
export type AskLine = z.infer<typeof askSchema>;
export type AnswerLine = z.infer<typeof answerSchema>;

/** A call with its answer; null while it is under way, or when the proxy was killed meanwhile. */
export interface RecordedCall {
  readonly ask: AskLine;
  readonly answer: AnswerLine | null;
}

/** One attempt of a session. */
export interface RecordedAttempt {
  readonly session: string;
  readonly attempt: number;
  readonly calls: readonly RecordedCall[];
  readonly ruling: SubmittedVerdict | null;
  /** What is missing in the record, and why. */
  readonly notes: readonly string[];
}
