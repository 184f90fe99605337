import { z } from 'zod';
import type { ChatMessage, ChatRequest, ChatTool, ToolChoice } from '../../../core/chat/chat.ts';
import { defined, isJsonObject, jsonObjectSchema, jsonSchema, type Json, type JsonObject } from '../../../core/json.ts';
import { parseWire, withoutNulls } from '../wire.ts';
import { assistantBlockSchema, readAssistant, readParts, textBlockSchema, userBlockSchema } from './blocks.ts';

const systemSchema = z.union([z.string(), z.array(textBlockSchema)]);
const messageSchema = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('system'), content: systemSchema }),
  z.strictObject({ role: z.literal('user'), content: z.union([z.string(), z.array(userBlockSchema)]) }),
  z.strictObject({ role: z.literal('assistant'), content: z.union([z.string(), z.array(assistantBlockSchema)]) }),
]);
const toolSchema = z
  .object({
    type: z.literal('custom', 'only tools with a schema are known here').nullish(),
    name: z.string(),
    description: z.string().nullish(),
    input_schema: jsonObjectSchema,
  })
  .catchall(jsonSchema);
const choiceSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('auto'), disable_parallel_tool_use: z.boolean().optional() }),
  z.strictObject({ type: z.literal('any'), disable_parallel_tool_use: z.boolean().optional() }),
  z.strictObject({ type: z.literal('tool'), name: z.string(), disable_parallel_tool_use: z.boolean().optional() }),
  z.strictObject({ type: z.literal('none') }),
]);
const outputSchema = z
  .object({ format: z.strictObject({ type: z.literal('json_schema'), schema: jsonObjectSchema }).nullish() })
  .catchall(jsonSchema);

const requestSchema = z
  .object({
    model: z.string(),
    max_tokens: z.int().positive(),
    system: systemSchema.optional(),
    messages: z.array(messageSchema),
    tools: z.array(toolSchema).optional(),
    tool_choice: choiceSchema.optional(),
    output_config: outputSchema.optional(),
    temperature: z.number().nonnegative().optional(),
    top_p: z.number().min(0).max(1).optional(),
    stop_sequences: z.array(z.string()).optional(),
    stream: z.boolean().optional(),
    container: z.undefined('the server would have to remember it: send the messages alone').optional(),
  })
  .catchall(jsonSchema);
type WireMessage = z.infer<typeof messageSchema>;
type WireTool = z.infer<typeof toolSchema>;

export function readRequest(body: unknown): ChatRequest {
  const object = withoutNulls(parseWire(jsonObjectSchema, 'the request', body));
  const wire = parseWire(requestSchema, 'the request', object);
  const { model, max_tokens, system, messages, tools, tool_choice, output_config, stream, ...others } = wire;
  const { temperature, top_p, stop_sequences, ...unknown } = others;
  const { format, ...output } = output_config ?? {};
  const extra = defined({
    ...(hasCacheMark([object['system'] ?? null, object['messages'] ?? null]) && {
      cache_control: { type: 'ephemeral' },
    }),
    ...unknown,
    ...(Object.keys(output).length > 0 && { output_config: output }),
    ...keptOfTools(tools ?? []),
  });
  return {
    model,
    messages: [...(system === undefined ? [] : [readSystem(system)]), ...messages.flatMap(readMessage)],
    ...(tools && { tools: tools.map(readTool) }),
    ...readChoice(tool_choice),
    // A format has no name here.
    ...(format && { format: { name: 'answer', schema: format.schema } }),
    sampling: {
      ...(temperature !== undefined && { temperature }),
      ...(top_p !== undefined && { topP: top_p }),
      maxTokens: max_tokens,
      ...(stop_sequences !== undefined && { stop: stop_sequences }),
    },
    ...(stream !== undefined && { stream }),
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}

function readSystem(content: z.infer<typeof systemSchema>): ChatMessage {
  return { role: 'system', content: typeof content === 'string' ? content : content.map(({ text }) => text).join('') };
}

/** Tool results are part of user messages in this API. */
function readMessage(wire: WireMessage, index: number): ChatMessage[] {
  const member = `messages[${index}].content`;
  if (wire.role === 'system') return [readSystem(wire.content)];
  if (wire.role === 'assistant')
    return [readAssistant(typeof wire.content === 'string' ? [{ type: 'text', text: wire.content }] : wire.content)];
  if (typeof wire.content === 'string') return [{ role: 'user', content: readParts(wire.content, member) }];
  const messages: ChatMessage[] = [];
  wire.content.forEach((block, at) => {
    const name = `${member}[${at}]`;
    const last = messages.at(-1);
    if (block.type === 'tool_result') {
      const content = readParts(block.content ?? '', `${name}.content`);
      messages.push({ role: 'tool', call: block.tool_use_id, content, ...(block.is_error && { failed: true }) });
    } else if (last?.role === 'user') {
      messages[messages.length - 1] = { ...last, content: [...last.content, ...readParts([block], name)] };
    } else messages.push({ role: 'user', content: readParts([block], name) });
  });
  return messages.length > 0 ? messages : [{ role: 'user', content: [] }];
}

function readTool({ name, description, input_schema }: WireTool): ChatTool {
  return { name, description: description ?? '', input: input_schema };
}

/** What a tool says beside: kept by its name for the way back. */
function keptOfTools(tools: readonly WireTool[]): JsonObject {
  const known = new Set(['type', 'description', 'input_schema']);
  const kept = tools
    .map(tool => Object.entries(tool).filter(([key]) => !known.has(key)))
    .filter(members => members.length > 1)
    .map(members => Object.fromEntries(members) as JsonObject);
  return kept.length > 0 ? { tools: kept } : {};
}

function readChoice(
  choice: z.infer<typeof choiceSchema> | undefined,
): Pick<ChatRequest, 'toolChoice' | 'parallelCalls'> {
  if (choice === undefined) return {};
  const toolChoice: ToolChoice =
    choice.type === 'tool' ? { name: choice.name } : choice.type === 'any' ? 'required' : choice.type;
  const isSingle = choice.type === 'none' ? undefined : choice.disable_parallel_tool_use;
  return { toolChoice, ...(isSingle !== undefined && { parallelCalls: !isSingle }) };
}

/** Marks inside of messages are left out: a mark for the whole request says about the same. */
function hasCacheMark(value: Json): boolean {
  if (Array.isArray(value)) return value.some(hasCacheMark);
  if (!isJsonObject(value)) return false;
  return isJsonObject(value['cache_control']) || hasCacheMark(value['content'] ?? null);
}
