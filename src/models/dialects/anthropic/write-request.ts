import type { ChatMessage, ChatRequest, ChatTool, ToolChoice } from '../../../core/chat/chat.ts';
import { defined, isJsonObject, type Json, type JsonObject } from '../../../core/json.ts';
import { isSealedThought, writeParts, writeTextAndCalls } from './blocks.ts';

/** The server requires a limit. */
const defaultMaxTokens = 8192;

/** This API has neither a seed nor tokens; both are optional wishes. */
export function writeRequest(request: ChatRequest): JsonObject {
  const { model, tools, format, sampling, stream } = request;
  const { tools: kept, output_config: output, ...extra } = request.extra ?? {};
  const first = request.messages.findIndex(({ role }) => role !== 'system');
  const head = first === -1 ? request.messages.length : first;
  const system = request.messages.slice(0, head).map(({ content }) => content as string);
  return defined({
    ...extra,
    model,
    max_tokens: sampling.maxTokens ?? defaultMaxTokens,
    system: writeSystem(system),
    messages: writeMessages(request.messages.slice(head)),
    tools: tools?.map(tool => writeTool(tool, kept)),
    tool_choice: tools && tools.length > 0 ? writeChoice(request) : undefined,
    output_config: writeOutput(format, output),
    temperature: sampling.temperature,
    top_p: sampling.topP,
    stop_sequences: sampling.stop,
    stream,
  });
}

function writeSystem(texts: readonly string[]): Json | undefined {
  return texts.length > 1 ? texts.map(text => ({ type: 'text', text })) : texts[0];
}

/** Tool results and the user's text after them are one message in this API. */
function writeMessages(messages: readonly ChatMessage[]): JsonObject[] {
  const written: JsonObject[] = [];
  let answers: JsonObject[] = [];
  const flush = () => {
    if (answers.length > 0) written.push({ role: 'user', content: answers });
    answers = [];
  };
  for (const message of messages) {
    if (message.role === 'tool') answers.push(writeAnswer(message));
    else if (message.role === 'user' && answers.length > 0) {
      answers.push(...writeParts(message.content));
      flush();
    } else {
      flush();
      written.push(writeMessage(message));
    }
  }
  flush();
  return written;
}

function writeMessage(message: Exclude<ChatMessage, { role: 'tool' }>): JsonObject {
  if (message.role === 'system') return { role: 'system', content: message.content };
  if (message.role === 'user') return { role: 'user', content: shortest(writeParts(message.content)) };
  // The server only accepts reasoning that it signed.
  const blocks = [...(message.sealed ?? []).filter(isSealedThought), ...writeTextAndCalls(message)];
  return { role: 'assistant', content: shortest(blocks) };
}

function writeAnswer({ call, content, failed }: Extract<ChatMessage, { role: 'tool' }>): JsonObject {
  return defined({
    type: 'tool_result',
    tool_use_id: call,
    content: shortest(writeParts(content)),
    is_error: failed,
  });
}

/** A text alone is a string. */
function shortest(blocks: readonly JsonObject[]): Json {
  const [first] = blocks;
  if (first === undefined) return '';
  return blocks.length === 1 && first['type'] === 'text' ? (first['text'] ?? '') : blocks;
}

function writeTool({ name, description, input }: ChatTool, kept: Json | undefined): JsonObject {
  const others = Array.isArray(kept) ? kept.filter(isJsonObject).find(tool => tool['name'] === name) : undefined;
  return { ...others, name, description, input_schema: input };
}

function writeChoice({ toolChoice, parallelCalls }: ChatRequest): JsonObject | undefined {
  if (toolChoice === undefined && parallelCalls === undefined) return undefined;
  const choice = choiceOf(toolChoice ?? 'auto');
  if (parallelCalls === undefined || toolChoice === 'none') return choice;
  return { ...choice, disable_parallel_tool_use: !parallelCalls };
}

function choiceOf(choice: ToolChoice): JsonObject {
  if (typeof choice === 'object') return { type: 'tool', name: choice.name };
  return { type: choice === 'required' ? 'any' : choice };
}

function writeOutput(format: ChatRequest['format'], kept: Json | undefined): Json | undefined {
  if (format === undefined) return kept;
  return { ...(isJsonObject(kept) && kept), format: { type: 'json_schema', schema: format.schema } };
}
