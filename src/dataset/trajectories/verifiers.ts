import { createHash } from 'node:crypto';
import type { ModelCall } from '../../core/chat/model.ts';
import { defined, type Json, type JsonObject } from '../../core/json.ts';
import type { Message } from '../requests/wire.ts';
import { callsIn, conversationOf, type Turn } from './conversation.ts';
import {
  rewardOf,
  sourceOf,
  taskOf,
  trajectoryId,
  verdictFigures,
  type EpisodeToWrite,
  type TrajectoryFormat,
  type TrajectoryTarget,
  type VerifiedLeaf,
} from './format.ts';
import { createJsonLinesWriter } from './json-lines.ts';
import { createMessageGraph, type MessageGraph } from './message-graph.ts';

/** The episodes of verifiers v1: a line for each of ours, with a trace for each of its verified ends. */
export const verifiers: TrajectoryFormat = {
  name: 'verifiers',
  about: 'Episodes of verifiers v1 with their traces: message graphs with tokens, masks and rewards.',
  episodes: 'training',
  create: target => createJsonLinesWriter(target.folder, 'traces.jsonl', episode => linesOf(episode, target)),
};

function linesOf(episode: EpisodeToWrite, target: TrajectoryTarget): JsonObject[] {
  const { record, leaves } = episode;
  if (leaves.length === 0) return [];
  const { head, end } = record;
  // A token that several ends share is trained once, in the first trace that has it.
  const trained = new Set<number>();
  return [
    {
      id: idOf(`${head.run}/${head.key}`),
      env: { id: head.task.environment },
      task: taskOfTrace(record),
      group: { id: `${head.run}/${head.round}/${head.task.id}` },
      ok: true,
      errors: [],
      traces: leaves.map(leaf => traceOf(episode, leaf, { target, trained })),
      is_timeout: end.reason === 'deadline',
    },
  ];
}

interface TraceOptions {
  readonly target: TrajectoryTarget;
  /** Nodes whose tokens an earlier trace trains on. */
  readonly trained: Set<number>;
}

function traceOf({ record, requests }: EpisodeToWrite, leaf: VerifiedLeaf, options: TraceOptions): JsonObject {
  const { target, trained } = options;
  const { turns } = conversationOf(record, leaf.leaf, requests);
  const graph = createMessageGraph();
  const calls = turns.flatMap(turn => addTurn(graph, turn, trained));
  const nodes = graph.nodes();
  const { checks: _checks, ...figures } = verdictFigures(leaf.verdict);
  const seconds = target.startedAt / 1000;
  return {
    version: 1,
    id: idOf(trajectoryId(leaf)),
    verifiers: { version: `espalier ${target.version}` },
    task: taskOfTrace(record),
    agent: {
      config: { model: calls[0]?.['model'] ?? record.head.student },
      name: 'agent',
      trainable: nodes.some(({ mask }) => mask.includes(true)),
    },
    tools: toolsOf(turns[0]),
    nodes: nodes.map(({ parent, message, sampled, tokens, mask, logprobs }) => ({
      parent,
      message: messageOf(message),
      sampled,
      timestamp: seconds,
      token_ids: tokens,
      mask,
      logprobs,
    })),
    calls,
    rewards: { verifier: { score: rewardOf(leaf), weight: 1 } },
    metrics: numbersOf({ progress: figures.progress, clean: figures.clean, interventions: leaf.interventions }),
    info: { ...sourceOf(leaf), verdict: verdictFigures(leaf.verdict) },
    is_completed: true,
    ok: true,
    stop_condition: leaf.path.at(-1)?.outcome.end ?? 'verified',
    errors: [],
    timing: { start: seconds },
  };
}

/** Adds the answer of a turn to the graph; the call of a model that gave it. */
function addTurn(graph: MessageGraph, turn: Turn, trained: Set<number>): JsonObject[] {
  const { request, answer, nodes } = turn;
  const { call, messages } = request;
  const [{ id, actor }] = nodes;
  const isStudent = call !== null && actor.role === 'student';
  const isFirst = !trained.has(id);
  if (isStudent) trained.add(id);
  const node = graph.add(messages, answer, {
    tokens: isStudent ? call.reply.tokens : null,
    sampled: isStudent,
    trains: isFirst,
  });
  return call === null ? [] : [callOf(call, node)];
}

function callOf({ reply, sampling, endpoint, cost }: ModelCall, node: number): JsonObject {
  const { usage } = reply;
  return defined({
    node,
    model: reply.model,
    sampling: defined({
      temperature: sampling.temperature,
      top_p: sampling.topP,
      max_tokens: sampling.maxTokens,
    }),
    endpoint,
    finish_reason: finishReasons[reply.finish],
    // Cached tokens are no part of `prompt_tokens` here.
    usage:
      usage === null
        ? undefined
        : defined({
            prompt_tokens: usage.prompt - (usage.cached ?? 0),
            completion_tokens: usage.completion,
            cached_input_tokens: usage.cached,
            cost: cost ?? undefined,
          }),
  }) as JsonObject;
}

/** A withheld answer has no reason of its own in this format. */
const finishReasons = { stop: 'stop', calls: 'tool_calls', length: 'length', filter: null } as const;

function messageOf(message: Message): JsonObject {
  const { role, content, reasoning_content: reasoning } = message;
  if (role !== 'assistant') return message;
  const calls = callsIn(message).map(({ id, name, input }) => ({
    id,
    name,
    arguments: typeof input === 'string' ? input : JSON.stringify(input),
  }));
  return defined({
    role,
    content: typeof content === 'string' ? content : '',
    reasoning_content: typeof reasoning === 'string' ? reasoning : undefined,
    tool_calls: calls.length === 0 ? undefined : calls,
  }) as JsonObject;
}

function toolsOf(turn: Turn | undefined): Json {
  const tools = JSON.parse(turn?.request.tools ?? '[]') as readonly { readonly function: JsonObject }[];
  return tools.map(({ function: tool }) => ({ type: 'function', ...tool }));
}

function taskOfTrace(record: EpisodeToWrite['record']): JsonObject {
  const { instruction, ...task } = taskOf(record);
  return { type: 'EspalierTask', data: { ...task, name: task.template, prompt: instruction }, key: task.id };
}

/** Metrics are numbers; those that are not known are null. */
function numbersOf(figures: Readonly<Record<string, number | boolean | null>>): JsonObject {
  return Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [name, typeof value === 'boolean' ? Number(value) : value]),
  );
}

function idOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
