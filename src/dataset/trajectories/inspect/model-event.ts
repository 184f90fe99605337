import type { CallEvent, ModelCall } from '../../../core/chat/model.ts';
import { defined, type Json, type JsonObject } from '../../../core/json.ts';
import type { TreeNode } from '../../../core/tree.ts';
import type { EpisodeRecord } from '../../../core/episode/record.ts';
import type { RowRequest } from '../../requests/requests.ts';
import type { EventLog } from './events.ts';
import type { MessagePool } from './messages.ts';

/** What the events of a sample are written with. */
export interface StepWriter {
  readonly record: EpisodeRecord;
  readonly pool: MessagePool;
  readonly log: EventLog;
  /** What was asked at a step; null for a further call of the same answer. */
  request(node: number): RowRequest | null;
}

/** The request for a step and its answer. Its messages are in the pool of the sample. */
export function modelEvent({ pool, record }: StepWriter, node: TreeNode, request: RowRequest): JsonObject {
  const { call, source } = request;
  const correction = record.corrections.find(({ node: id }) => id === node.id);
  return defined({
    event: 'model',
    model: call?.reply.model ?? node.actor.name,
    role: node.actor.role === 'student' ? undefined : node.actor.role,
    input: [],
    input_refs: pool.ranges(request.messages),
    tools: toolsOf(request.tools),
    tool_choice: 'auto',
    config: call === null ? {} : configOf(call),
    output: outputOf(pool.message(request.answer(node.id)), call, node.actor.name),
    retries: call === null || call.attempts === 1 ? undefined : call.attempts - 1,
    metadata: defined({
      node: node.id,
      parent: node.parent,
      digest: node.before,
      actor: node.actor,
      request: source,
      replaces: correction?.replaces ?? undefined,
      reason: correction?.reason,
    }),
  }) as unknown as JsonObject;
}

export function outputOf(answer: JsonObject, call: ModelCall | null, actor: string): JsonObject {
  const model = call?.reply.model ?? actor;
  return defined({
    model,
    choices: [
      {
        message: { ...answer, source: 'generate', model },
        stop_reason: call === null ? 'tool_calls' : stopReasons[call.reply.finish],
      },
    ],
    usage: call === null ? undefined : (usageOf({ usage: call.reply.usage, cost: call.cost }) ?? undefined),
    metadata: call === null ? undefined : tokenMetadata(call),
    response_id: call?.reply.id,
  }) as unknown as JsonObject;
}

const stopReasons = {
  stop: 'stop',
  calls: 'tool_calls',
  length: 'max_tokens',
  filter: 'content_filter',
} as const;

/** Log probabilities stand in Inspect beside the text of each token, which servers need not give: here they have ids. */
function tokenMetadata({ reply: { tokens, version } }: ModelCall): JsonObject {
  return defined({
    completion_token_ids: tokens?.completion ?? undefined,
    logprobs: tokens?.logprobs ?? undefined,
    model_version: version ?? undefined,
  }) as JsonObject;
}

/** Cached tokens are no part of `input_tokens` here. */
export function usageOf({ usage, cost }: Pick<CallEvent, 'usage' | 'cost'>): JsonObject | null {
  if (usage === null) return null;
  const { prompt, completion, cached } = usage;
  return defined({
    input_tokens: prompt - (cached ?? 0),
    output_tokens: completion,
    total_tokens: prompt + completion,
    input_tokens_cache_read: cached,
    total_cost: cost ?? undefined,
  }) as JsonObject;
}

function configOf({ sampling }: ModelCall): JsonObject {
  const { temperature, topP, maxTokens, seed, stop } = sampling;
  return defined({ temperature, top_p: topP, max_tokens: maxTokens, seed, stop_seqs: stop }) as JsonObject;
}

function toolsOf(text: string): Json {
  const tools = JSON.parse(text) as readonly { readonly function: JsonObject }[];
  return tools.map(({ function: tool }) => {
    const { name, description, parameters } = tool;
    return { name: name ?? '', description: description ?? '', parameters: parameters ?? {} };
  });
}
