import { z } from 'zod';
import type { ChatMessage, ChatPart, ChatRequest, ChatTool } from '../../../core/chat/chat.ts';
import { defined, jsonObjectSchema, jsonSchema, type JsonObject } from '../../../core/json.ts';
import { MalformedError } from '../dialect.ts';
import { parseDataUrl, parseWire, withoutNulls } from '../wire.ts';
import { callItemSchema, messageItemSchema, readAssistant, reasoningItemSchema, type AssistantItem } from './items.ts';

const partSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('input_text'), text: z.string() }),
  z.strictObject({
    type: z.literal('input_image'),
    image_url: z.string('expected a data URL: nothing is fetched from elsewhere'),
    detail: z.string().nullish(),
    file_id: z.null().optional(),
  }),
]);
const contentSchema = z.union([z.string(), z.array(partSchema)]);
const askedSchema = z.object({
  type: z.literal('message').optional(),
  role: z.enum(['system', 'developer', 'user']),
  content: contentSchema,
});
const answerSchema = z.object({
  type: z.literal('function_call_output'),
  call_id: z.string(),
  output: contentSchema,
});
const itemSchema = z.discriminatedUnion('type', [answerSchema, callItemSchema, reasoningItemSchema]);
const speechSchema = z.discriminatedUnion('role', [askedSchema, messageItemSchema]);
type Item = z.infer<typeof itemSchema> | z.infer<typeof speechSchema>;

const toolSchema = z
  .object({
    type: z.literal('function', 'only function tools are known here'),
    name: z.string(),
    description: z.string().nullish(),
    parameters: jsonObjectSchema.nullish(),
    strict: z.boolean().nullish(),
  })
  .catchall(jsonSchema);
const choiceSchema = z.union([
  z.enum(['auto', 'none', 'required']),
  z.strictObject({ type: z.literal('function'), name: z.string() }),
]);
const textSchema = z.object({ format: jsonObjectSchema.nullish() }).catchall(jsonSchema);
const formatSchema = z.object({ name: z.string(), schema: jsonObjectSchema }).catchall(jsonSchema);

const forgetful = (what: string) =>
  z.undefined(`${what} nothing is remembered here: send all of it as input`).optional();
const requestSchema = z
  .object({
    model: z.string(),
    instructions: z.string().optional(),
    input: z.union([z.string(), z.array(jsonObjectSchema)]),
    tools: z.array(toolSchema).optional(),
    tool_choice: choiceSchema.optional(),
    parallel_tool_calls: z.boolean().optional(),
    text: textSchema.optional(),
    temperature: z.number().nonnegative().optional(),
    top_p: z.number().min(0).max(1).optional(),
    max_output_tokens: z.int().positive().optional(),
    stream: z.boolean().optional(),
    previous_response_id: forgetful('the responses before are not kept;'),
    conversation: forgetful('conversations are not kept;'),
    prompt: forgetful('prompts are not kept;'),
    background: z.literal(false, 'nothing is answered later').optional(),
  })
  .catchall(jsonSchema);
type WireTool = z.infer<typeof toolSchema>;

export function readRequest(body: unknown): ChatRequest {
  const object = parseWire(jsonObjectSchema, 'the request', body);
  const wire = parseWire(requestSchema, 'the request', withoutNulls(object));
  const { model, instructions, input, tools, tool_choice, parallel_tool_calls, text, stream, ...others } = wire;
  const { temperature, top_p, max_output_tokens, ...unknown } = others;
  const { format, rest } = readFormat(text);
  const kept = (tools ?? []).flatMap(keptOfTool);
  const extra = defined({ ...unknown, ...(rest && { text: rest }), ...(kept.length > 0 && { tools: kept }) });
  return {
    model,
    messages: [
      ...(instructions === undefined ? [] : [{ role: 'system', content: instructions } as const]),
      ...readInput(typeof input === 'string' ? [{ role: 'user', content: input }] : input.map(readItem)),
    ],
    ...(tools && { tools: tools.map(readTool) }),
    ...(tool_choice !== undefined && {
      toolChoice: typeof tool_choice === 'string' ? tool_choice : { name: tool_choice.name },
    }),
    ...(parallel_tool_calls !== undefined && { parallelCalls: parallel_tool_calls }),
    ...(format && { format }),
    sampling: {
      ...(temperature !== undefined && { temperature }),
      ...(top_p !== undefined && { topP: top_p }),
      ...(max_output_tokens !== undefined && { maxTokens: max_output_tokens }),
    },
    ...(stream !== undefined && { stream }),
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}

function readItem(item: JsonObject, index: number): Item {
  const member = `input[${index}]`;
  const { type } = item;
  if (type === 'item_reference')
    throw new MalformedError(`${member}: nothing is remembered here: send the item itself.`);
  if (type === undefined || type === 'message') return parseWire(speechSchema, member, item);
  return parseWire(itemSchema, member, item);
}

/** Items of the model that follow each other are one message. */
function readInput(items: readonly Item[]): ChatMessage[] {
  const messages: ChatMessage[] = [];
  let turn: AssistantItem[] = [];
  const close = () => {
    if (turn.length > 0) messages.push(readAssistant(turn));
    turn = [];
  };
  items.forEach((item, index) => {
    if (item.type === 'reasoning' || item.type === 'function_call') turn.push(item);
    else if (item.type === 'function_call_output') {
      const content = readContent(item.output, `input[${index}].output`);
      close();
      messages.push({ role: 'tool', call: item.call_id, content });
    } else if (item.role === 'assistant') turn.push(item);
    else {
      close();
      messages.push(readAsked(item, `input[${index}].content`));
    }
  });
  close();
  return messages;
}

function readAsked({ role, content }: z.infer<typeof askedSchema>, member: string): ChatMessage {
  const parts = readContent(content, member);
  if (role === 'user') return { role, content: parts };
  const text = parts.map(part => {
    if (part.type === 'image') throw new MalformedError(`${member}: expected text: instructions have no images.`);
    return part.text;
  });
  return { role: 'system', content: text.join('') };
}

function readContent(content: z.infer<typeof contentSchema>, member: string): ChatPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return content.map((part, index) =>
    part.type === 'input_text'
      ? { type: 'text', text: part.text }
      : parseDataUrl(part.image_url, `${member}[${index}].image_url`),
  );
}

function readTool({ name, description, parameters }: WireTool): ChatTool {
  return { name, description: description ?? '', input: parameters ?? { type: 'object', properties: {} } };
}

/** What a tool says beside: kept by its name for the way back. */
function keptOfTool(tool: WireTool): JsonObject[] {
  const known = new Set(['type', 'description', 'parameters']);
  const members = Object.entries(tool).filter(([key, value]) => !known.has(key) && value !== undefined);
  return members.length > 1 ? [Object.fromEntries(members) as JsonObject] : [];
}

/** What a schema has beside its name is kept for the way back; another format than a schema is kept whole. */
function readFormat(text: z.infer<typeof textSchema> | undefined): {
  format?: ChatRequest['format'];
  rest?: JsonObject;
} {
  const { format, ...others } = text ?? {};
  if (!format || format['type'] !== 'json_schema') {
    const rest = defined({ ...others, format: format ?? undefined });
    return Object.keys(rest).length > 0 ? { rest } : {};
  }
  const { name, schema, strict, type: _type, ...members } = parseWire(formatSchema, 'text.format', format);
  const kept = { ...members, ...(strict !== true && { strict: strict ?? false }) };
  const rest = defined({ ...others, ...(Object.keys(kept).length > 0 && { format: kept }) });
  return { format: { name, schema }, ...(Object.keys(rest).length > 0 && { rest }) };
}
