import { z } from 'zod';
import type { ChatReply, Finish, Usage } from '../../../core/chat/chat.ts';
import type { JsonObject } from '../../../core/json.ts';
import { parseWire } from '../wire.ts';
import { assistantBlockSchema, readAssistant, isSealedThought, writeTextAndCalls } from './blocks.ts';

const count = z.int().nonnegative();
export const usageSchema = z.object({
  input_tokens: count.nullish(),
  output_tokens: count.nullish(),
  cache_creation_input_tokens: count.nullish(),
  cache_read_input_tokens: count.nullish(),
});
export const stopSchema = z.enum([
  'end_turn',
  'max_tokens',
  'stop_sequence',
  'tool_use',
  'pause_turn',
  'refusal',
  'model_context_window_exceeded',
]);
const replySchema = z.object({
  id: z.string(),
  model: z.string(),
  content: z.array(assistantBlockSchema),
  stop_reason: stopSchema,
  usage: usageSchema.nullish(),
});

export function readReply(body: unknown): ChatReply {
  const { id, model, content, stop_reason, usage } = parseWire(replySchema, 'the reply', body);
  const message = readAssistant(content);
  return {
    id,
    model,
    version: null,
    message,
    finish: readStop(stop_reason, message.calls !== undefined),
    usage: usage ? readUsage(usage) : null,
    tokens: null,
  };
}

export function readStop(reason: z.infer<typeof stopSchema>, hasCalls: boolean): Finish {
  if (reason === 'max_tokens' || reason === 'model_context_window_exceeded') return 'length';
  if (reason === 'refusal') return 'filter';
  return hasCalls ? 'calls' : 'stop';
}

/** Here the cached part of a prompt is counted beside the rest of it. */
export function readUsage(wire: z.infer<typeof usageSchema>): Usage {
  const cached = wire.cache_read_input_tokens;
  return {
    prompt: (wire.input_tokens ?? 0) + (wire.cache_creation_input_tokens ?? 0) + (cached ?? 0),
    completion: wire.output_tokens ?? 0,
    ...(typeof cached === 'number' && { cached }),
  };
}

export function writeReply(reply: ChatReply): JsonObject {
  const { message } = reply;
  return {
    ...headOf(reply),
    content: [
      ...writeThoughts(message.thought ?? '', message.sealed ?? []),
      ...writeTextAndCalls(message).map(block => (block['type'] === 'text' ? { ...block, citations: null } : block)),
    ],
    ...writeStop(reply.finish),
    usage: writeUsage(reply.usage),
  };
}

/** A thought that nobody signed has an empty signature. */
function writeThoughts(thought: string, sealed: readonly JsonObject[]): JsonObject[] {
  const signed = sealed.filter(isSealedThought);
  if (signed.some(({ type }) => type === 'thinking')) return signed;
  return [...(thought === '' ? [] : [{ type: 'thinking', thinking: thought, signature: '' }]), ...signed];
}

export function headOf({ id, model }: Pick<ChatReply, 'id' | 'model'>): JsonObject {
  return { id, type: 'message', role: 'assistant', model, container: null };
}

export function writeStop(finish: Finish): JsonObject {
  const reason = { stop: 'end_turn', calls: 'tool_use', length: 'max_tokens', filter: 'refusal' }[finish];
  return { stop_reason: reason, stop_sequence: null, stop_details: null };
}

export function writeUsage(usage: Usage | null): JsonObject {
  const { prompt = 0, completion = 0, cached } = usage ?? {};
  return {
    input_tokens: prompt - (cached ?? 0),
    output_tokens: completion,
    cache_creation_input_tokens: null,
    cache_read_input_tokens: cached ?? null,
  };
}
