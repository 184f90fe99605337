import { z } from 'zod';
import { jsonObjectSchema } from '../json.ts';

/** A chat with a model, independent of any wire format. A dialect refuses what it cannot express. */

const textPartSchema = z.strictObject({ type: z.literal('text'), text: z.string() });
const imagePartSchema = z.strictObject({
  type: z.literal('image'),
  mediaType: z.enum(['image/png', 'image/jpeg', 'image/webp', 'image/gif']),
  /** Base64. */
  data: z.string(),
});
export const chatPartSchema = z.discriminatedUnion('type', [textPartSchema, imagePartSchema]);
export type ChatPart = z.infer<typeof chatPartSchema>;

const toolCallSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  /** As the model wrote it: mostly the text of a JSON object, but nobody promises that. */
  input: z.string(),
});
export type ToolCall = z.infer<typeof toolCallSchema>;

export const chatMessageSchema = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('system'), content: z.string() }),
  z.strictObject({ role: z.literal('user'), content: z.array(chatPartSchema).readonly() }),
  z.strictObject({
    role: z.literal('assistant'),
    content: z.string(),
    /** The reasoning text, if the server returns it. */
    thought: z.string().optional(),
    /** Opaque data that must be sent back with the reasoning: signatures, encrypted items. */
    sealed: z.array(jsonObjectSchema).readonly().optional(),
    calls: z.array(toolCallSchema).readonly().optional(),
  }),
  z.strictObject({
    role: z.literal('tool'),
    /** The id of the call that this answers. */
    call: z.string(),
    content: z.array(chatPartSchema).readonly(),
    failed: z.literal(true).optional(),
  }),
]);
export type ChatMessage = z.infer<typeof chatMessageSchema>;
export type AssistantMessage = Extract<ChatMessage, { role: 'assistant' }>;

/** Sampling settings; the server decides about those left out. */
export const samplingSchema = z.strictObject({
  temperature: z.number().nonnegative().optional(),
  topP: z.number().min(0).max(1).optional(),
  maxTokens: z.int().positive().optional(),
  seed: z.int().nonnegative().optional(),
  stop: z.array(z.string()).readonly().optional(),
});
export type Sampling = z.infer<typeof samplingSchema>;

export const chatToolSchema = z.strictObject({
  name: z.string(),
  description: z.string(),
  /** JSON Schema of the input. */
  input: jsonObjectSchema,
});
export type ChatTool = z.infer<typeof chatToolSchema>;

/** `required`: some tool must be called. A name: that one. */
export type ToolChoice = 'auto' | 'required' | 'none' | { readonly name: string };

/** How servers are told a grammar: llama.cpp, vLLM, SGLang, and those that take a JSON Schema. */
export type GrammarForm = 'grammar' | 'structured_outputs' | 'ebnf' | 'json_schema';

export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly ChatTool[];
  readonly toolChoice?: ToolChoice;
  /** False asks for one call at a time. */
  readonly parallelCalls?: boolean;
  /** The answer has to be JSON of this schema. */
  readonly format?: { readonly name: string; readonly schema: z.infer<typeof jsonObjectSchema> };
  /** What an answer may be, for servers that hold a model to it, and how this server is told. */
  readonly grammar?: {
    readonly told: GrammarForm;
    readonly gbnf: string;
    readonly schema: z.infer<typeof jsonObjectSchema>;
  };
  readonly sampling: Sampling;
  /** Whether to ask for token ids and log probabilities, if the server supports it. */
  readonly wantsTokens?: boolean;
  readonly stream?: boolean;
  /** Other members of the wire format; passed on unchanged to the same dialect. */
  readonly extra?: z.infer<typeof jsonObjectSchema>;
}

/** `calls` when the model wants tools called; `length` when it ran out of tokens; `filter` when something withheld it. */
const finishSchema = z.enum(['stop', 'calls', 'length', 'filter']);
export type Finish = z.infer<typeof finishSchema>;

const usageSchema = z.strictObject({
  prompt: z.int().nonnegative(),
  completion: z.int().nonnegative(),
  /** Tokens of the prompt that came from the server's cache. */
  cached: z.int().nonnegative().optional(),
});
export type Usage = z.infer<typeof usageSchema>;

/** Tokens exactly as the server gave them; null where it gave none. Never made from text. */
const tokensSchema = z.strictObject({
  prompt: numbers(Number.isSafeInteger, 'token ids').nullable(),
  completion: numbers(Number.isSafeInteger, 'token ids').nullable(),
  /** Of each token of the completion. */
  logprobs: numbers(Number.isFinite, 'numbers').nullable(),
});

/** Checked by hand: lists have thousands of ids, and this is about five times as fast. */
function numbers(isGood: (value: unknown) => boolean, what: string): z.ZodType<readonly number[]> {
  return z.custom<readonly number[]>(
    value => Array.isArray(value) && value.every(isGood),
    `expected a list of ${what}`,
  );
}
export type Tokens = z.infer<typeof tokensSchema>;

export const chatReplySchema = z.strictObject({
  id: z.string(),
  /** As the server names it. */
  model: z.string(),
  /** Of the weights or the server, where it says so: `system_fingerprint` and the like. */
  version: z.string().nullable(),
  message: chatMessageSchema.options[2],
  finish: finishSchema,
  usage: usageSchema.nullable(),
  tokens: tokensSchema.nullable(),
});
export type ChatReply = z.infer<typeof chatReplySchema>;

/** A piece of a reply that is still being written. */
export type ChatDelta =
  | { readonly kind: 'start'; readonly id: string; readonly model: string; readonly version: string | null }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'thought'; readonly text: string }
  /** A call begins; its input follows in pieces. `index` counts the calls of the reply from 0. */
  | { readonly kind: 'call'; readonly index: number; readonly id: string; readonly name: string }
  | { readonly kind: 'input'; readonly index: number; readonly text: string }
  | { readonly kind: 'sealed'; readonly item: z.infer<typeof jsonObjectSchema> }
  | { readonly kind: 'tokens'; readonly tokens: Tokens }
  | { readonly kind: 'end'; readonly finish: Finish; readonly usage: Usage | null };
