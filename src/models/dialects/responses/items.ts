import { z } from 'zod';
import type { AssistantMessage, Tokens } from '../../../core/chat/chat.ts';
import { jsonSchema, type JsonObject } from '../../../core/json.ts';

const idsSchema = z.array(z.int());
const textSchema = z.object({ text: z.string() });

/** What a model writes: members that are new to us are passed over, what it sealed is kept with all of them. */
export const messageItemSchema = z.object({
  type: z.literal('message').optional(),
  role: z.literal('assistant'),
  content: z.union([
    z.string(),
    z.array(
      z.discriminatedUnion('type', [
        z.object({ type: z.literal('output_text'), text: z.string() }),
        z.object({ type: z.literal('refusal'), refusal: z.string() }),
      ]),
    ),
  ]),
});
export const callItemSchema = z.object({
  type: z.literal('function_call'),
  call_id: z.string(),
  name: z.string(),
  arguments: z.string(),
});
export const reasoningItemSchema = z
  .object({
    type: z.literal('reasoning'),
    summary: z.array(textSchema.catchall(jsonSchema)).optional(),
    content: z.array(textSchema.catchall(jsonSchema)).nullish(),
    encrypted_content: z.string().nullish(),
  })
  .catchall(jsonSchema);
export const outputItemSchema = z.discriminatedUnion('type', [
  messageItemSchema.extend({ type: z.literal('message') }),
  callItemSchema,
  reasoningItemSchema,
]);
/** NeMo Gym says of an item which tokens it was written with. */
const itemTokensSchema = z.object({
  prompt_token_ids: idsSchema.nullish(),
  generation_token_ids: idsSchema.nullish(),
  generation_log_probs: z.array(z.number()).nullish(),
});

export type AssistantItem =
  | z.infer<typeof messageItemSchema>
  | z.infer<typeof callItemSchema>
  | z.infer<typeof reasoningItemSchema>;

/** Stands between the parts of a thought. */
export const pause = '\n\n';

/** All that a model wrote in one turn is one message; that some items stood between others is not kept. */
export function readAssistant(items: readonly AssistantItem[]): AssistantMessage {
  const reasoning = items.filter(item => item.type === 'reasoning');
  const thought = reasoning.map(thoughtOf).filter(Boolean).join(pause);
  const sealed: JsonObject[] = reasoning.filter(isSealedReasoning);
  const calls = items.flatMap(item =>
    item.type === 'function_call' ? [{ id: item.call_id, name: item.name, input: item.arguments }] : [],
  );
  return {
    role: 'assistant',
    content: items.map(textOfItem).join(''),
    ...(thought !== '' && { thought }),
    ...(sealed.length > 0 && { sealed }),
    ...(calls.length > 0 && { calls }),
  };
}

function textOfItem(item: AssistantItem): string {
  if (item.type === 'reasoning' || item.type === 'function_call') return '';
  if (typeof item.content === 'string') return item.content;
  return item.content.map(part => (part.type === 'output_text' ? part.text : part.refusal)).join('');
}

export function isRefused(items: readonly AssistantItem[]): boolean {
  return items.some(
    item => 'role' in item && Array.isArray(item.content) && item.content.some(part => part.type === 'refusal'),
  );
}

type Texts = readonly { readonly text: string }[];

function thoughtOf({ summary, content }: { summary?: Texts | undefined; content?: Texts | null | undefined }): string {
  return [...(summary ?? []), ...(content ?? [])].map(({ text }) => text).join(pause);
}

/** The server takes back a thought that it sealed; another it would look for in what it remembers. */
export function isSealedReasoning({ type, encrypted_content: content }: JsonObject): boolean {
  return type === 'reasoning' && typeof content === 'string' && content !== '';
}

export function readItemTokens(item: unknown): Tokens | null {
  const { success, data } = itemTokensSchema.safeParse(item);
  if (!success) return null;
  const { prompt_token_ids: prompt = null, generation_token_ids: completion = null } = data;
  const { generation_log_probs: logprobs = null } = data;
  return prompt === null && completion === null && logprobs === null ? null : { prompt, completion, logprobs };
}

export function writeItemTokens(tokens: Tokens | null): JsonObject {
  if (tokens === null) return {};
  const { prompt, completion, logprobs } = tokens;
  return {
    ...(prompt && { prompt_token_ids: prompt }),
    ...(completion && { generation_token_ids: completion }),
    ...(logprobs && { generation_log_probs: logprobs }),
  };
}

export function messageItem(id: string, text: string): JsonObject {
  return {
    id,
    type: 'message',
    status: 'completed',
    role: 'assistant',
    content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
  };
}

export function callItem(id: string, call: { id: string; name: string; input: string }): JsonObject {
  return { id, type: 'function_call', status: 'completed', call_id: call.id, name: call.name, arguments: call.input };
}

export function reasoningItem(id: string, thought: string): JsonObject {
  return { id, type: 'reasoning', summary: [{ type: 'summary_text', text: thought }] };
}

export function partsOf(item: JsonObject): { summary: Texts; content: Texts } {
  const { summary, content } = reasoningItemSchema.parse(item);
  return { summary: summary ?? [], content: content ?? [] };
}

/** What is left of a thought when an item that was sealed says a part of it; null when it says none of it. */
export function restOfThought(thought: string, item: JsonObject): string | null {
  const part = thoughtOf(partsOf(item));
  if (thought.startsWith(part)) return thought.slice(part.length);
  return thought.startsWith(pause + part) ? thought.slice(pause.length + part.length) : null;
}
