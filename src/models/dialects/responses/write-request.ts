import type { AssistantMessage, ChatMessage, ChatPart, ChatRequest, ChatTool } from '../../../core/chat/chat.ts';
import { defined, isJsonObject, type Json, type JsonObject } from '../../../core/json.ts';
import { MalformedError } from '../dialect.ts';
import { dataUrlOf, isReasoner, textOf } from '../wire.ts';
import { isSealedReasoning } from './items.ts';

/** This API has neither a seed nor tokens; both are optional wishes. */
export function writeRequest(request: ChatRequest): JsonObject {
  const { model, messages, tools, parallelCalls, format, sampling, stream } = request;
  const { tools: kept, text, ...extra } = request.extra ?? {};
  if (sampling.stop !== undefined && sampling.stop.length > 0)
    throw new MalformedError('stop: the Responses API has no stop sequences. Leave them out, or use chat completions.');
  return defined({
    // Nothing is left with the server; what it sealed of its thoughts has to come back for that.
    store: false,
    include: isReasoner(model) ? ['reasoning.encrypted_content'] : undefined,
    ...extra,
    model,
    input: messages.flatMap(writeMessage),
    tools: tools?.map(tool => writeTool(tool, kept)),
    tool_choice: writeChoice(request),
    parallel_tool_calls: parallelCalls,
    text: format ? writeFormat(format, text) : text,
    temperature: sampling.temperature,
    top_p: sampling.topP,
    max_output_tokens: sampling.maxTokens,
    stream,
  });
}

function writeMessage(message: ChatMessage): JsonObject[] {
  switch (message.role) {
    case 'system':
      return [{ type: 'message', role: 'system', content: message.content }];
    case 'user':
      return [{ type: 'message', role: 'user', content: writeContent(message.content) }];
    case 'assistant':
      return writeAssistant(message);
    case 'tool': {
      // A failure is part of the text: there is no field for it.
      const failure: ChatPart[] = message.failed ? [{ type: 'text', text: 'The call failed.\n' }] : [];
      const output = writeContent([...failure, ...message.content]);
      return [{ type: 'function_call_output', call_id: message.call, output }];
    }
  }
}

/** The server only accepts reasoning that it encrypted. */
function writeAssistant({ content, sealed = [], calls = [] }: AssistantMessage): JsonObject[] {
  const isSilent = content === '' && calls.length > 0;
  return [
    ...sealed.filter(isSealedReasoning),
    ...(isSilent ? [] : [{ type: 'message', role: 'assistant', content }]),
    ...calls.map(({ id, name, input }) => ({ type: 'function_call', call_id: id, name, arguments: input })),
  ];
}

function writeContent(content: readonly ChatPart[]): Json {
  if (content.every(part => part.type === 'text') && content.length < 2) return textOf(content);
  return content.map(part =>
    part.type === 'text'
      ? { type: 'input_text', text: part.text }
      : { type: 'input_image', image_url: dataUrlOf(part), detail: 'auto' },
  );
}

/** A schema is taken as strict here unless told otherwise, and many are not fit for it. */
export function writeTool({ name, description, input }: ChatTool, kept?: Json): JsonObject {
  const others = Array.isArray(kept) ? kept.filter(isJsonObject).find(tool => tool['name'] === name) : undefined;
  return { strict: false, ...others, type: 'function', name, description, parameters: input };
}

export function writeChoice({ toolChoice }: ChatRequest): Json | undefined {
  return typeof toolChoice === 'object' ? { type: 'function', name: toolChoice.name } : toolChoice;
}

function writeFormat({ name, schema }: NonNullable<ChatRequest['format']>, kept: Json | undefined): JsonObject {
  const text = isJsonObject(kept) ? kept : {};
  const format = isJsonObject(text['format']) ? text['format'] : {};
  return { ...text, format: { strict: true, ...format, type: 'json_schema', name, schema } };
}
