import { z } from 'zod';
import type { ChatReply, ChatRequest, Finish, Usage } from '../../../core/chat/chat.ts';
import type { JsonObject } from '../../../core/json.ts';
import { StreamError } from '../dialect.ts';
import { parseWire } from '../wire.ts';
import { readCalls, toolCallSchema } from './calls.ts';
import { choiceTokensShape, readTokens, replyTokensShape, writeTokens } from './tokens.ts';
import { writeAssistant } from './write-request.ts';

const count = z.int().nonnegative();
export const usageSchema = z.object({
  prompt_tokens: count,
  completion_tokens: count.nullish(),
  prompt_tokens_details: z.object({ cached_tokens: count.nullish() }).nullish(),
});
/** The words of OpenAI, then those of vLLM and SGLang. */
export const finishSchema = z.enum([
  'stop',
  'length',
  'tool_calls',
  'function_call',
  'content_filter',
  'repetition',
  'abort',
  'error',
]);

const choiceSchema = z.object({
  message: z.object({
    content: z.string().nullish(),
    refusal: z.string().nullish(),
    reasoning_content: z.string().nullish(),
    reasoning: z.string().nullish(),
    tool_calls: z.array(toolCallSchema).nullish(),
  }),
  finish_reason: finishSchema,
  ...choiceTokensShape,
});
const replySchema = z.object({
  id: z.string(),
  model: z.string(),
  system_fingerprint: z.string().nullish(),
  choices: z.tuple([choiceSchema]),
  usage: usageSchema.nullish(),
  ...replyTokensShape,
});

export function readReply(body: unknown): ChatReply {
  const wire = parseWire(replySchema, 'the reply', body);
  const { message, finish_reason, ...choice } = wire.choices[0];
  const thought = message.reasoning_content ?? message.reasoning ?? '';
  const refusal = message.refusal ?? '';
  const calls = readCalls(message.tool_calls ?? []);
  return {
    id: wire.id,
    model: wire.model,
    version: wire.system_fingerprint ?? null,
    message: {
      role: 'assistant',
      content: (message.content ?? '') + refusal,
      ...(thought !== '' && { thought }),
      ...calls,
    },
    finish: readFinish(finish_reason, { hasCalls: calls.calls !== undefined, isRefused: refusal !== '' }),
    usage: wire.usage ? readUsage(wire.usage) : null,
    tokens: readTokens(wire, choice),
  };
}

/**
 * Whether tools are wanted is seen by the calls: some servers say `stop` when the tool was named.
 * Throws a StreamError when the server gave up.
 */
export function readFinish(
  reason: z.infer<typeof finishSchema>,
  { hasCalls, isRefused }: { hasCalls: boolean; isRefused: boolean },
): Finish {
  if (reason === 'abort' || reason === 'error')
    throw new StreamError({ kind: 'broken', message: `The server ended the reply with ${reason}.` });
  if (reason === 'length' || reason === 'repetition') return 'length';
  if (reason === 'content_filter' || isRefused) return 'filter';
  return hasCalls ? 'calls' : 'stop';
}

export function readUsage(wire: z.infer<typeof usageSchema>): Usage {
  const cached = wire.prompt_tokens_details?.cached_tokens;
  return {
    prompt: wire.prompt_tokens,
    completion: wire.completion_tokens ?? 0,
    ...(typeof cached === 'number' && { cached }),
  };
}

export function writeReply(reply: ChatReply, request: ChatRequest): JsonObject {
  const tokens = writeTokens(reply.tokens, request);
  return {
    ...headOf(reply),
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: { ...writeAssistant(reply.message), refusal: null },
        finish_reason: writeFinish(reply.finish),
        logprobs: null,
        ...tokens.choice,
      },
    ],
    ...(reply.usage && { usage: writeUsage(reply.usage) }),
    ...tokens.reply,
  };
}

/** When it was made is not known here: nothing reads a clock. */
export function headOf({ id, model, version }: Pick<ChatReply, 'id' | 'model' | 'version'>): JsonObject {
  return { id, created: 0, model, ...(version !== null && { system_fingerprint: version }) };
}

export function writeFinish(finish: Finish): string {
  return { stop: 'stop', calls: 'tool_calls', length: 'length', filter: 'content_filter' }[finish];
}

export function writeUsage({ prompt, completion, cached }: Usage): JsonObject {
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    ...(cached !== undefined && { prompt_tokens_details: { cached_tokens: cached } }),
  };
}
