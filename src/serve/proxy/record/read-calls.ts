import type { AssistantMessage, ChatRequest } from '../../../core/chat/chat.ts';
import type { ModelCall } from '../../../core/chat/model.ts';
import { isJson, isJsonObject, type JsonObject } from '../../../core/json.ts';
import { MalformedError } from '../../../models/dialects/dialect.ts';
import { dialectOf } from '../../../models/dialects/dialects.ts';
import type { AskLine, RecordedCall } from './call-record.ts';

/** A call that was answered, in words that no dialect has a part in. */
export interface ReadCall {
  readonly request: ChatRequest;
  readonly exchange: ModelCall;
}

/** The calls that a model answered, as they were made; refused and cut ones count as attempts at the one that went through. */
export function readCalls(calls: readonly RecordedCall[]): readonly ReadCall[] {
  const found: ReadCall[] = [];
  const failed = new Map<string, number>();
  for (const { ask, answer } of calls) {
    const request = readRequest(ask);
    const reply = answer?.reply ?? null;
    if (request === null || reply === null) {
      failed.set(ask.body, (failed.get(ask.body) ?? 0) + 1);
      continue;
    }
    const { messages, tools = [], sampling } = request;
    const exchange: ModelCall = {
      endpoint: ask.endpoint,
      question: 'act',
      prompts: {},
      messages,
      tools,
      sampling,
      reply,
      cost: null,
      attempts: 1 + (failed.get(ask.body) ?? 0),
      problem: problemOf(reply.message),
    };
    failed.delete(ask.body);
    found.push({ request, exchange });
  }
  return found;
}

/** Null when the call cannot be expressed as a chat request; it was forwarded unchanged. */
function readRequest({ dialect, body }: AskLine): ChatRequest | null {
  try {
    return dialectOf(dialect).readRequest(JSON.parse(body));
  } catch (cause) {
    if (cause instanceof MalformedError || cause instanceof SyntaxError) return null;
    throw cause;
  }
}

function problemOf({ calls = [] }: AssistantMessage): string | null {
  const wrong = calls.find(({ input }) => inputOf(input) === null);
  const isUseless = wrong !== undefined && calls.every(({ input }) => inputOf(input) === null);
  return isUseless ? `The input of the tool "${wrong.name}" is no JSON object.` : null;
}

/** What a tool was called with; null when it is no JSON object. */
export function inputOf(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text === '' ? '{}' : text);
    return isJson(value) && isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}
