import type { AssistantMessage, ChatMessage, ChatPart, ChatRequest, ChatTool } from '../../../core/chat/chat.ts';
import { defined, isJsonObject, type Json, type JsonObject } from '../../../core/json.ts';
import { dataUrlOf, isReasoner, textOf } from '../wire.ts';
import { writeCalls } from './calls.ts';

type ToolMessage = Extract<ChatMessage, { role: 'tool' }>;

export function writeRequest(request: ChatRequest): JsonObject {
  const { model, messages, tools, toolChoice, parallelCalls, format, sampling, stream } = request;
  const { temperature, topP, maxTokens, seed, stop } = sampling;
  const { tools: kept, response_format: keptFormat, logprobs, return_token_ids, ...extra } = request.extra ?? {};
  return defined({
    ...extra,
    model,
    messages: writeMessages(messages),
    tools: tools?.map(tool => writeTool(tool, kept)),
    tool_choice: typeof toolChoice === 'object' ? { type: 'function', function: toolChoice } : toolChoice,
    parallel_tool_calls: parallelCalls,
    response_format: format ? writeFormat(format, keptFormat) : keptFormat,
    ...(request.grammar === undefined ? {} : writeGrammar(request.grammar)),
    temperature,
    top_p: topP,
    [isReasoner(model) ? 'max_completion_tokens' : 'max_tokens']: maxTokens,
    seed,
    stop,
    logprobs: asked(request.wantsTokens, logprobs),
    return_token_ids: asked(request.wantsTokens, return_token_ids),
    stream,
    stream_options: stream ? { ...objectOf(extra['stream_options']), include_usage: true } : extra['stream_options'],
  });
}

/** Each server has a member of its own for it. */
function writeGrammar({ told, gbnf, schema }: NonNullable<ChatRequest['grammar']>): JsonObject {
  if (told === 'structured_outputs') return { structured_outputs: { grammar: gbnf } };
  if (told === 'json_schema')
    return { response_format: { type: 'json_schema', json_schema: { name: 'step', schema } } };
  return { [told]: gbnf };
}

/** Who wants tokens but not these asks by saying nothing: servers refuse members that they do not know. */
function asked(wantsTokens: boolean | undefined, kept: Json | undefined): Json | undefined {
  if (!wantsTokens) return kept;
  return kept === false ? undefined : true;
}

/** Answers of tools are text here: their images follow in a message of the user, after the last answer of the turn. */
export function writeMessages(messages: readonly ChatMessage[]): JsonObject[] {
  const written: JsonObject[] = [];
  let images: Json[] = [];
  const showImages = () => {
    if (images.length > 0) written.push({ role: 'user', content: images });
    images = [];
  };
  for (const message of messages) {
    if (message.role === 'tool') {
      written.push(writeAnswer(message));
      images.push(...imagesOf(message));
    } else {
      showImages();
      written.push(writeMessage(message));
    }
  }
  showImages();
  return written;
}

function writeMessage(message: Exclude<ChatMessage, ToolMessage>): JsonObject {
  if (message.role === 'system') return { role: 'system', content: message.content };
  if (message.role === 'user') return { role: 'user', content: writeContent(message.content) };
  return writeAssistant(message);
}

export function writeAssistant(message: AssistantMessage): JsonObject {
  const { content, thought, calls = [] } = message;
  return defined({
    role: 'assistant',
    content: content === '' && calls.length > 0 ? null : content,
    reasoning_content: thought,
    tool_calls: calls.length > 0 ? writeCalls(message) : undefined,
  });
}

/** A failure is part of the text: there is no field for it. */
function writeAnswer({ call, content, failed }: ToolMessage): JsonObject {
  return { role: 'tool', tool_call_id: call, content: `${failed ? 'The call failed.\n' : ''}${textOf(content)}` };
}

function imagesOf({ call, content }: ToolMessage): JsonObject[] {
  const images = content.filter(part => part.type === 'image');
  if (images.length === 0) return [];
  return [{ type: 'text', text: `What the call ${call} shows:` }, ...images.map(writePart)];
}

function writeContent(content: readonly ChatPart[]): Json {
  return content.every(part => part.type === 'text') && content.length < 2 ? textOf(content) : content.map(writePart);
}

function writePart(part: ChatPart): JsonObject {
  return part.type === 'text' ? part : { type: 'image_url', image_url: { url: dataUrlOf(part) } };
}

export function writeTool({ name, description, input }: ChatTool, kept?: Json): JsonObject {
  const tools = Array.isArray(kept) ? kept.map(tool => objectOf(objectOf(tool)['function'])) : [];
  const strict = tools.find(tool => tool['name'] === name)?.['strict'];
  return { type: 'function', function: defined({ name, description, parameters: input, strict }) };
}

function writeFormat({ name, schema }: NonNullable<ChatRequest['format']>, kept: Json | undefined): JsonObject {
  return {
    type: 'json_schema',
    json_schema: { strict: true, ...objectOf(objectOf(kept)['json_schema']), name, schema },
  };
}

function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
