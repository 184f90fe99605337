import { parseObject } from '../../core/chat/answer-json.ts';
import type { AssistantMessage, ChatMessage, ChatTool } from '../../core/chat/chat.ts';
import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import { writeAssistant, writeMessages, writeTool } from '../../models/dialects/openai/write-request.ts';

/**
 * A message of a row: as it is sent in OpenAI's chat format, and as servers hand it to a chat template. They decode the
 * arguments of calls, and give a message without content an empty one; trainers do neither. Templates would write the
 * arguments as a quoted string, and the missing content as "None".
 */
export type Message = JsonObject;

export function rowMessages(messages: readonly ChatMessage[]): Message[] {
  return writeMessages(messages).map(forTemplates);
}

export function rowAnswer(answer: AssistantMessage): Message {
  return forTemplates(writeAssistant(answer));
}

/** A text of JSON: trainers decode it, and a table would fill members that tools do not share with nulls. */
export function rowTools(tools: readonly ChatTool[]): string {
  return JSON.stringify(tools.map(tool => writeTool(tool)));
}

function forTemplates(message: JsonObject): Message {
  const { content, tool_calls: calls } = message;
  return {
    ...message,
    ...(content === null ? { content: '' } : {}),
    ...(Array.isArray(calls) ? { tool_calls: calls.map(callWithObject) } : {}),
  };
}

function callWithObject(call: Json): Json {
  if (!isJsonObject(call) || !isJsonObject(call['function'])) return call;
  const { arguments: text, ...rest } = call['function'];
  if (typeof text !== 'string') return call;
  // What is no object was sent as it is, and stays so.
  return { ...call, function: { ...rest, arguments: parseObject(text === '' ? '{}' : text) ?? text } };
}
