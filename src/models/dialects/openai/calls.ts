import { z } from 'zod';
import type { AssistantMessage, ToolCall } from '../../../core/chat/chat.ts';
import { jsonObjectSchema, type JsonObject } from '../../../core/json.ts';

/** A call as it goes over the wire, in requests and replies. */
export const toolCallSchema = z.object({
  id: z.string(),
  type: z.literal('function', 'only calls of functions are known here').optional(),
  function: z.object({ name: z.string(), arguments: z.string() }),
  /** What some servers want back with the call: signatures of thoughts. */
  extra_content: jsonObjectSchema.nullish(),
});
type WireCall = z.infer<typeof toolCallSchema>;

const sealedType = 'extra_content';

export function sealedOfCall(call: string, content: JsonObject): JsonObject {
  return { type: sealedType, call, content };
}

/** The call that a sealed item belongs to, and what it holds; null when another dialect sealed it. */
export function callOfSealed({ type, call, content }: JsonObject): { call: string; content: JsonObject } | null {
  if (type !== sealedType || typeof call !== 'string') return null;
  return { call, content: jsonObjectSchema.parse(content) };
}

export function readCalls(wire: readonly WireCall[]): Pick<AssistantMessage, 'calls' | 'sealed'> {
  if (wire.length === 0) return {};
  const calls: ToolCall[] = wire.map(({ id, function: { name, arguments: input } }) => ({ id, name, input }));
  const sealed = wire.flatMap(({ id, extra_content }) => (extra_content ? [sealedOfCall(id, extra_content)] : []));
  return { calls, ...(sealed.length > 0 && { sealed }) };
}

export function writeCalls({ calls = [], sealed = [] }: AssistantMessage): JsonObject[] {
  const kept = new Map(sealed.map(callOfSealed).flatMap(item => (item ? [[item.call, item.content]] : [])));
  return calls.map(({ id, name, input }) => {
    const content = kept.get(id);
    return {
      id,
      type: 'function',
      function: { name, arguments: input },
      ...(content && { extra_content: content }),
    };
  });
}
