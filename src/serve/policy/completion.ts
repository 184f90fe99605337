import type { ChatReply, ChatRequest } from '../../core/chat/chat.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { deltasOf } from '../../models/dialects/dialects.ts';
import { writeEvent } from '../../models/dialects/events.ts';
import { openai } from '../../models/dialects/openai/openai.ts';
import { RefusedError, type Likely, type ServedAnswer, type ServedOdds } from './served-policy.ts';

export interface Exchange {
  readonly id: string;
  readonly version: string;
  readonly chat: ChatRequest;
  readonly answer: ServedAnswer;
}

/** An answer as one body. */
export function writeCompletion(exchange: Exchange): JsonObject {
  const { chat, answer } = exchange;
  const body = openai.writeReply(replyOf(exchange), chat);
  const logprobs = logprobsOf(chat, answer.odds);
  const choices = body['choices'] as readonly JsonObject[];
  return { ...body, ...(logprobs !== null && { choices: choices.map(choice => ({ ...choice, logprobs })) }) };
}

/** The same as a stream. */
export function writeCompletionStream(exchange: Exchange): string {
  const { chat, answer } = exchange;
  const writer = openai.createWriter(chat);
  const logprobs = logprobsOf(chat, answer.odds);
  const events = deltasOf(replyOf(exchange)).map(delta =>
    delta.kind === 'end' && logprobs !== null
      ? logprobsEvent(exchange, logprobs) + writer.write(delta)
      : writer.write(delta),
  );
  return events.join('') + writer.close();
}

/** Built-in policies have no tokens, so no token counts are reported. */
function replyOf({ id, version, chat, answer: { says } }: Exchange): ChatReply {
  const calls =
    'call' in says ? [{ id: `call-${id}`, name: says.call.name, input: JSON.stringify(says.call.input) }] : [];
  return {
    id,
    model: chat.model,
    version,
    message: { role: 'assistant', content: 'text' in says ? says.text : '', ...(calls.length > 0 && { calls }) },
    finish: calls.length > 0 ? 'calls' : 'stop',
    usage: null,
    tokens: null,
  };
}

function logprobsEvent({ id, version, chat }: Exchange, logprobs: JsonObject): string {
  const choices = [{ index: 0, delta: {}, logprobs, finish_reason: null }];
  const chunk = { id, created: 0, model: chat.model, system_fingerprint: version, choices };
  return writeEvent({ event: null, data: JSON.stringify({ ...chunk, object: 'chat.completion.chunk' }) });
}

/** One entry for the whole answer, which is sampled as one; null unless the client asked for it. */
function logprobsOf({ wantsTokens, extra = {} }: ChatRequest, odds: ServedOdds | null): JsonObject | null {
  const others = readOthers(extra['top_logprobs']);
  if (wantsTokens !== true || extra['logprobs'] === false || odds === null) return null;
  const top = odds.all.slice(0, others).map(entryOf);
  return { content: [{ ...entryOf(odds.said), top_logprobs: top }], refusal: null };
}

const mostOthers = 20;

function readOthers(value: Json | undefined): number {
  if (value === undefined) return 0;
  if (Number.isInteger(value) && (value as number) >= 0 && (value as number) <= mostOthers) return value as number;
  throw new RefusedError(`top_logprobs: expected a whole number from 0 to ${mostOthers}.`);
}

function entryOf({ text, logprob }: Likely): JsonObject {
  return { token: text, logprob, bytes: [...new TextEncoder().encode(text)] };
}
