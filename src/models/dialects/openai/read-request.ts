import { z } from 'zod';
import type { ChatMessage, ChatPart, ChatRequest, ChatTool, ToolChoice } from '../../../core/chat/chat.ts';
import { defined, jsonObjectSchema, jsonSchema, type JsonObject } from '../../../core/json.ts';
import { parseDataUrl, parseWire, withoutNulls } from '../wire.ts';
import { readCalls, toolCallSchema } from './calls.ts';

const textPartSchema = z.strictObject({ type: z.literal('text'), text: z.string() });
const imagePartSchema = z.strictObject({
  type: z.literal('image_url'),
  // How finely an image is looked at is the server's business: there is no word for `detail`.
  image_url: z.strictObject({ url: z.string(), detail: z.string().nullish() }),
});
const textSchema = z.union([z.string(), z.array(textPartSchema)]);
const contentSchema = z.union([z.string(), z.array(z.discriminatedUnion('type', [textPartSchema, imagePartSchema]))]);

/** Names of participants are dropped: the role says who speaks. */
const named = { name: z.string().nullish() };
const messageSchema = z.discriminatedUnion('role', [
  z.strictObject({ role: z.enum(['system', 'developer']), content: textSchema, ...named }),
  z.strictObject({ role: z.literal('user'), content: contentSchema, ...named }),
  // What a client sends back of a reply may have members that mean nothing in a request.
  z.object({
    role: z.literal('assistant'),
    content: textSchema.nullish(),
    refusal: z.string().nullish(),
    reasoning_content: z.string().nullish(),
    reasoning: z.string().nullish(),
    tool_calls: z.array(toolCallSchema).nullish(),
  }),
  z.strictObject({ role: z.literal('tool'), tool_call_id: z.string(), content: contentSchema, ...named }),
]);

const toolSchema = z.strictObject({
  type: z.literal('function', 'only function tools are known here'),
  function: z.strictObject({
    name: z.string(),
    description: z.string().nullish(),
    parameters: jsonObjectSchema.nullish(),
    strict: z.boolean().nullish(),
  }),
});
const choiceSchema = z.union([
  z.enum(['auto', 'none', 'required']),
  z.strictObject({ type: z.literal('function'), function: z.strictObject({ name: z.string() }) }),
]);

const formatSchema = z.object({ name: z.string(), schema: jsonObjectSchema }).catchall(jsonSchema);

const requestSchema = z
  .object({
    model: z.string(),
    messages: z.array(messageSchema),
    tools: z.array(toolSchema).optional(),
    tool_choice: choiceSchema.optional(),
    parallel_tool_calls: z.boolean().optional(),
    response_format: jsonObjectSchema.optional(),
    temperature: z.number().nonnegative().optional(),
    top_p: z.number().min(0).max(1).optional(),
    max_tokens: z.int().positive().optional(),
    max_completion_tokens: z.int().positive().optional(),
    seed: z.int().nonnegative().optional(),
    stop: z.union([z.string(), z.array(z.string())]).optional(),
    logprobs: z.boolean().optional(),
    return_token_ids: z.boolean().optional(),
    stream: z.boolean().optional(),
    n: z.literal(1, 'one answer at a time').optional(),
    functions: z.undefined('is older than tools: send tools').optional(),
    function_call: z.undefined('is older than tool_choice: send tool_choice').optional(),
  })
  .catchall(jsonSchema);
type WireMessage = z.infer<typeof messageSchema>;
type WireTool = z.infer<typeof toolSchema>;

export function readRequest(body: unknown): ChatRequest {
  const object = parseWire(jsonObjectSchema, 'the request', body);
  const wire = parseWire(requestSchema, 'the request', withoutNulls(object));
  const { model, messages, tools, tool_choice, parallel_tool_calls, response_format, stream, ...others } = wire;
  const { temperature, top_p, max_tokens, max_completion_tokens, seed, stop, ...more } = others;
  const { logprobs, return_token_ids, ...unknown } = more;
  const maxTokens = max_completion_tokens ?? max_tokens;
  const wantsTokens = logprobs === true || return_token_ids === true;
  const { format, rest } = readFormat(response_format);
  const extra = defined({
    ...unknown,
    ...(rest && { response_format: rest }),
    ...(tools?.some(isStrict) && { tools: tools.filter(isStrict).map(writeStrict) }),
    ...(wantsTokens && !logprobs && { logprobs: false }),
    ...(wantsTokens && !return_token_ids && { return_token_ids: false }),
  });
  return {
    model,
    messages: messages.map(readMessage),
    ...(tools && { tools: tools.map(readTool) }),
    ...(tool_choice !== undefined && { toolChoice: readChoice(tool_choice) }),
    ...(parallel_tool_calls !== undefined && { parallelCalls: parallel_tool_calls }),
    ...(format && { format }),
    sampling: {
      ...(temperature !== undefined && { temperature }),
      ...(top_p !== undefined && { topP: top_p }),
      ...(maxTokens !== undefined && { maxTokens }),
      ...(seed !== undefined && { seed }),
      ...(stop !== undefined && { stop: typeof stop === 'string' ? [stop] : stop }),
    },
    ...(wantsTokens && { wantsTokens }),
    ...(stream !== undefined && { stream }),
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}

function readMessage(wire: WireMessage, index: number): ChatMessage {
  const member = `messages[${index}].content`;
  switch (wire.role) {
    case 'system':
    case 'developer':
      return { role: 'system', content: joinText(wire.content) };
    case 'user':
      return { role: 'user', content: readContent(wire.content, member) };
    case 'tool':
      return { role: 'tool', call: wire.tool_call_id, content: readContent(wire.content, member) };
    case 'assistant': {
      const thought = wire.reasoning_content ?? wire.reasoning ?? '';
      return {
        role: 'assistant',
        content: joinText(wire.content ?? '') || (wire.refusal ?? ''),
        ...(thought !== '' && { thought }),
        ...readCalls(wire.tool_calls ?? []),
      };
    }
  }
}

function joinText(content: string | readonly { readonly text: string }[]): string {
  return typeof content === 'string' ? content : content.map(({ text }) => text).join('');
}

function readContent(content: z.infer<typeof contentSchema>, member: string): ChatPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return content.map((part, index) =>
    part.type === 'text' ? part : parseDataUrl(part.image_url.url, `${member}[${index}].image_url.url`),
  );
}

function readTool({ function: { name, description, parameters } }: WireTool): ChatTool {
  return { name, description: description ?? '', input: parameters ?? { type: 'object', properties: {} } };
}

function isStrict(tool: WireTool): boolean {
  return typeof tool.function.strict === 'boolean';
}

function writeStrict({ function: { name, strict } }: WireTool): JsonObject {
  return { function: { name, strict: strict ?? null } };
}

function readChoice(choice: z.infer<typeof choiceSchema>): ToolChoice {
  return typeof choice === 'string' ? choice : { name: choice.function.name };
}

/** What a schema has beside its name is kept for the way back; another format than a schema is kept whole. */
function readFormat(wire: JsonObject | undefined): { format?: ChatRequest['format']; rest?: JsonObject } {
  if (wire === undefined) return {};
  const { type, json_schema: schema } = wire;
  if (type !== 'json_schema') return { rest: wire };
  const parsed = parseWire(formatSchema, 'response_format.json_schema', schema ?? {});
  const { name, schema: input, strict, ...others } = parsed;
  const rest = { ...others, ...(strict !== true && { strict: strict ?? false }) };
  return { format: { name, schema: input }, ...(Object.keys(rest).length > 0 && { rest: { json_schema: rest } }) };
}
