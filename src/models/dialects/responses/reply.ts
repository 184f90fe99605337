import { z } from 'zod';
import type { AssistantMessage, ChatReply, ChatRequest, Finish, Tokens, Usage } from '../../../core/chat/chat.ts';
import type { Json, JsonObject } from '../../../core/json.ts';
import { MalformedError, StreamError } from '../dialect.ts';
import { readStreamError } from '../openai/errors.ts';
import { parseWire } from '../wire.ts';
import {
  callItem,
  isRefused,
  isSealedReasoning,
  messageItem,
  outputItemSchema,
  readAssistant,
  readItemTokens,
  reasoningItem,
  restOfThought,
  writeItemTokens,
} from './items.ts';
import { writeChoice, writeTool } from './write-request.ts';

const count = z.int().nonnegative();
export const responseSchema = z.object({
  id: z.string(),
  model: z.string(),
  status: z.string(),
  error: z.unknown(),
  output: z.array(z.unknown()).nullish(),
  incomplete_details: z.object({ reason: z.string().nullish() }).nullish(),
  usage: z
    .object({
      input_tokens: count,
      output_tokens: count,
      input_tokens_details: z.object({ cached_tokens: count.nullish() }).nullish(),
    })
    .nullish(),
});
type WireResponse = z.infer<typeof responseSchema>;

export function readReply(body: unknown): ChatReply {
  const wire = parseWire(responseSchema, 'the response', body);
  const output = wire.output ?? [];
  const items = output.map((item, index) => parseWire(outputItemSchema, `output[${index}]`, item));
  const message = readAssistant(items);
  return {
    id: wire.id,
    model: wire.model,
    version: null,
    message,
    ...readEnd(wire, { hasCalls: message.calls !== undefined, isRefused: isRefused(items) }),
    tokens: readTokens(output),
  };
}

export function readTokens(output: readonly unknown[]): Tokens | null {
  return output.map(readItemTokens).findLast(tokens => tokens !== null) ?? null;
}

/** Throws a StreamError when the response failed. */
export function readEnd(
  { status, error, incomplete_details, usage }: WireResponse,
  { hasCalls, isRefused: refused }: { hasCalls: boolean; isRefused: boolean },
): { finish: Finish; usage: Usage | null } {
  return { finish: finishOf(), usage: usage ? readUsage(usage) : null };

  function finishOf(): Finish {
    if (status === 'failed') throw new StreamError(readStreamError(error));
    if (status === 'incomplete') return incomplete_details?.reason === 'content_filter' ? 'filter' : 'length';
    if (status !== 'completed')
      throw new MalformedError(`status: the response is ${status}. Expected it to be completed, incomplete or failed.`);
    if (refused) return 'filter';
    return hasCalls ? 'calls' : 'stop';
  }
}

function readUsage(usage: NonNullable<WireResponse['usage']>): Usage {
  const cached = usage.input_tokens_details?.cached_tokens;
  return {
    prompt: usage.input_tokens,
    completion: usage.output_tokens,
    ...(typeof cached === 'number' && { cached }),
  };
}

export function writeReply(reply: ChatReply, request: ChatRequest): JsonObject {
  return finishedResponse(reply, request, writeOutput(reply.id, reply.message));
}

function writeOutput(id: string, { content, thought, sealed = [], calls = [] }: AssistantMessage): JsonObject[] {
  const reasoning = sealed.filter(isSealedReasoning);
  const unsaid = reasoning.reduce<string>((rest, item) => restOfThought(rest, item) ?? rest, thought ?? '');
  return [
    ...(unsaid === '' ? [] : [reasoningItem(`rs_${id}`, unsaid)]),
    ...reasoning,
    ...(content === '' ? [] : [messageItem(`msg_${id}`, content)]),
    ...calls.map((call, index) => callItem(`fc_${id}_${index}`, call)),
  ];
}

/** Tokens stand with the last item. */
export function finishedResponse(
  reply: Omit<ChatReply, 'message' | 'version'>,
  request: ChatRequest,
  output: readonly JsonObject[],
): JsonObject {
  const { finish, usage, tokens } = reply;
  const isWhole = finish === 'stop' || finish === 'calls';
  const last = output.length - 1;
  const told = request.wantsTokens ? writeItemTokens(tokens) : {};
  return {
    ...responseOf(reply, request, isWhole ? 'completed' : 'incomplete'),
    incomplete_details: isWhole ? null : { reason: finish === 'length' ? 'max_output_tokens' : 'content_filter' },
    output: output.map((item, index) => (index === last ? { ...item, ...told } : item)),
    usage: usage && writeUsage(usage),
  };
}

/** A response as its client expects it: with what it asked for. When it was made is not known here. */
export function responseOf(
  { id, model }: Pick<ChatReply, 'id' | 'model'>,
  request: ChatRequest,
  status: string,
): JsonObject {
  const { tools = [], parallelCalls = true, sampling } = request;
  return {
    id,
    object: 'response',
    created_at: 0,
    status,
    error: null,
    incomplete_details: null,
    instructions: null,
    max_output_tokens: sampling.maxTokens ?? null,
    metadata: {},
    model,
    output: [],
    parallel_tool_calls: parallelCalls,
    previous_response_id: null,
    store: false,
    temperature: sampling.temperature ?? null,
    text: { format: { type: 'text' } },
    tool_choice: writeChoice(request) ?? 'auto',
    tools: tools.map(tool => writeTool(tool)) as readonly Json[],
    top_p: sampling.topP ?? null,
    truncation: 'disabled',
    usage: null,
  };
}

function writeUsage({ prompt, completion, cached }: Usage): JsonObject {
  return {
    input_tokens: prompt,
    input_tokens_details: { cached_tokens: cached ?? 0 },
    output_tokens: completion,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: prompt + completion,
  };
}
