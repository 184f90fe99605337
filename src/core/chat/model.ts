import { z } from 'zod';
import { actorSchema } from '../tree.ts';
import { chatMessageSchema, chatReplySchema, chatToolSchema, samplingSchema } from './chat.ts';
import type { ChatReply, ChatRequest } from './chat.ts';

/** The cost of one answer of a model. */
export interface Completion {
  readonly reply: ChatReply;
  /** In US dollars; null when the price of the model is not known. */
  readonly cost: number | null;
  /** Times it was asked, the last included. */
  readonly attempts: number;
  /** What was asked for and left out of the request, because the server refuses it; absent when nothing was. */
  readonly without?: readonly string[];
}

/** A model behind an endpoint. Many requests may be open at once. */
export interface Model {
  /** `openai:qwen3@http://127.0.0.1:8000/v1`: never a key. */
  readonly endpoint: string;
  /** The name that requests carry. */
  readonly model: string;
  /** Throws an EspalierError with the boundary of the caller, after all retries. */
  complete(request: Omit<ChatRequest, 'model'>, signal?: AbortSignal): Promise<Completion>;
}

/** What an agent was asked, for the record. */
const questionSchema = z.enum(['act', 'review', 'correct', 'judge']);
export type Question = z.infer<typeof questionSchema>;

/** One exchange with a model, verbatim. */
export const modelCallSchema = z.strictObject({
  endpoint: z.string(),
  question: questionSchema,
  /** SHA-256 of the prompt files that were used, by name. */
  prompts: z.record(z.string(), z.string()),
  messages: z.array(chatMessageSchema).readonly(),
  tools: z.array(chatToolSchema).readonly(),
  sampling: samplingSchema,
  reply: chatReplySchema,
  cost: z.number().nonnegative().nullable(),
  attempts: z.int().positive(),
  /** How the server was told what an answer may be; absent where it was not. */
  grammar: z.string().optional(),
  /** What was asked for and left out, because the server refuses it. */
  without: z.array(z.string()).readonly().optional(),
  /** What made the answer unusable; null when it was used. */
  problem: z.string().nullable(),
});
export type ModelCall = z.infer<typeof modelCallSchema>;

/** Takes an exchange with a model as soon as it has happened, whether or not its answer can be used. */
export type RecordCall = (call: ModelCall) => void;

/** The journal's entry for such an exchange; the rest is stored under its address. */
export const callEventSchema = z.strictObject({
  kind: z.literal('call'),
  by: actorSchema,
  question: questionSchema,
  /** The node that the episode stood at when it was asked. */
  at: z.int().nonnegative(),
  /** The cursor whose agent asked; absent for the one that the episode begins with. */
  cursor: z.int().positive().optional(),
  endpoint: z.string(),
  model: z.string(),
  version: z.string().nullable(),
  finish: chatReplySchema.shape.finish,
  usage: chatReplySchema.shape.usage,
  cost: z.number().nonnegative().nullable(),
  attempts: z.int().positive(),
  problem: z.string().nullable(),
  /** Which of the token fields the server gave. */
  tokens: z.strictObject({ prompt: z.boolean(), completion: z.boolean(), logprobs: z.boolean() }),
  /** The address of the whole exchange. */
  record: z.string(),
});
export type CallEvent = z.infer<typeof callEventSchema>;
