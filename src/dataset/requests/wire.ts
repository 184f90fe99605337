import { parseObject } from '../../core/chat/answer-json.ts';
import type { AssistantMessage, ChatMessage, ChatTool } from '../../core/chat/chat.ts';
import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import { writeAssistant, writeMessages, writeTool } from '../../dialects/openai/write-request.ts';

/** A message of a row: as it is sent in OpenAI's chat format, but with the arguments of calls as objects. */
export type Message = JsonObject;

export function rowMessages(messages: readonly ChatMessage[]): Message[] {
  return writeMessages(messages).map(withObjects);
}

export function rowAnswer(answer: AssistantMessage): Message {
  return withObjects(writeAssistant(answer));
}

/** A text of JSON: trainers decode it, and a table would fill members that tools do not share with nulls. */
export function rowTools(tools: readonly ChatTool[]): string {
  return JSON.stringify(tools.map(tool => writeTool(tool)));
}

/** Servers decode the arguments before a chat template sees them; trainers do not, and would write a quoted string. */
function withObjects(message: JsonObject): Message {
  const { tool_calls: calls } = message;
  return Array.isArray(calls) ? { ...message, tool_calls: calls.map(callWithObject) } : message;
}

function callWithObject(call: Json): Json {
  if (!isJsonObject(call) || !isJsonObject(call['function'])) return call;
  const { arguments: text, ...rest } = call['function'];
  if (typeof text !== 'string') return call;
  // What is no object was sent as it is, and stays so.
  return { ...call, function: { ...rest, arguments: parseObject(text === '' ? '{}' : text) ?? text } };
}
