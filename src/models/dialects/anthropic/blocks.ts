import { z } from 'zod';
import type { AssistantMessage, ChatPart, ToolCall } from '../../../core/chat/chat.ts';
import { isJsonObject, jsonObjectSchema, jsonSchema, type Json, type JsonObject } from '../../../core/json.ts';
import { parseImage } from '../wire.ts';

/** Where the server's cache ends; told for the request as a whole instead. */
const cacheable = { cache_control: jsonObjectSchema.nullish() };

export const textBlockSchema = z.strictObject({
  type: z.literal('text'),
  text: z.string(),
  citations: z.array(z.unknown()).nullish(),
  ...cacheable,
});
const imageBlockSchema = z.strictObject({
  type: z.literal('image'),
  source: z.strictObject({
    type: z.literal('base64', 'expected base64: nothing is fetched from elsewhere'),
    media_type: z.string(),
    data: z.string(),
  }),
  ...cacheable,
});
const partBlockSchema = z.discriminatedUnion('type', [textBlockSchema, imageBlockSchema]);
const answerBlockSchema = z.strictObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  content: z.union([z.string(), z.array(partBlockSchema)]).nullish(),
  is_error: z.boolean().nullish(),
  toolset_name: z.null().optional(),
  ...cacheable,
});

/** What a model writes may have members that are new to us; what it sealed is kept with all of them. */
const thinkingBlockSchema = z
  .object({ type: z.literal('thinking'), thinking: z.string(), signature: z.string().default('') })
  .catchall(jsonSchema);
const redactedBlockSchema = z.object({ type: z.literal('redacted_thinking'), data: z.string() }).catchall(jsonSchema);
const callBlockSchema = z.object({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: jsonSchema });
export const assistantBlockSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  thinkingBlockSchema,
  redactedBlockSchema,
  callBlockSchema,
]);
export const userBlockSchema = z.discriminatedUnion('type', [textBlockSchema, imageBlockSchema, answerBlockSchema]);

type PartBlock = z.infer<typeof partBlockSchema>;
export type AssistantBlock = z.infer<typeof assistantBlockSchema>;

export function readParts(content: string | readonly PartBlock[], member: string): ChatPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return content.map((block, index) =>
    block.type === 'text'
      ? { type: 'text', text: block.text }
      : parseImage(block.source.media_type, block.source.data, `${member}[${index}].source.media_type`),
  );
}

/** The server refuses empty text. */
export function writeParts(parts: readonly ChatPart[]): JsonObject[] {
  return parts
    .filter(part => part.type !== 'text' || part.text !== '')
    .map(part =>
      part.type === 'text'
        ? part
        : { type: 'image', source: { type: 'base64', media_type: part.mediaType, data: part.data } },
    );
}

/** Reasoning, text and calls; their interleaving is not kept. */
export function readAssistant(blocks: readonly AssistantBlock[]): AssistantMessage {
  const thought = blocks.map(block => (block.type === 'thinking' ? block.thinking : '')).join('');
  const sealed = blocks.filter(isThought).filter(isSealedThought);
  const calls = blocks.flatMap(block => (block.type === 'tool_use' ? [readCall(block)] : []));
  return {
    role: 'assistant',
    content: blocks.map(block => (block.type === 'text' ? block.text : '')).join(''),
    ...(thought !== '' && { thought }),
    ...(sealed.length > 0 && { sealed }),
    ...(calls.length > 0 && { calls }),
  };
}

function isThought(block: AssistantBlock): block is Extract<AssistantBlock, JsonObject> {
  return block.type === 'thinking' || block.type === 'redacted_thinking';
}

/** A thought that the server signed or hid: it takes back no other. */
export function isSealedThought({ type, signature }: JsonObject): boolean {
  return type === 'redacted_thinking' || (type === 'thinking' && typeof signature === 'string' && signature !== '');
}

export function writeTextAndCalls({ content, calls = [] }: AssistantMessage): JsonObject[] {
  return [
    ...(content === '' ? [] : [{ type: 'text', text: content }]),
    ...calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input: objectOfInput(input) })),
  ];
}

/** The documented way to carry an input that is not an object. */
const unparsed = 'INVALID_JSON';

function readCall({ id, name, input }: z.infer<typeof callBlockSchema>): ToolCall {
  return { id, name, input: textOfInput(input) };
}

function textOfInput(input: Json): string {
  if (!isJsonObject(input)) return JSON.stringify(input);
  const { [unparsed]: text, ...others } = input;
  return typeof text === 'string' && Object.keys(others).length === 0 ? text : JSON.stringify(input);
}

function objectOfInput(input: string): JsonObject {
  if (input === '') return {};
  try {
    const parsed = JSON.parse(input) as Json;
    if (isJsonObject(parsed)) return parsed;
  } catch {
    // The model wrote invalid JSON: send it as text.
  }
  return { [unparsed]: input };
}
