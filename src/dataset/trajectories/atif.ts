import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defined, type Json, type JsonObject } from '../../core/json.ts';
import type { Message } from '../requests/wire.ts';
import { callsIn, conversationOf, textOf, type Conversation, type Turn } from './conversation.ts';
import {
  fileNameOf,
  rewardOf,
  sourceOf,
  taskOf,
  trajectoryId,
  verdictFigures,
  type TrajectoryFile,
  type TrajectoryFormat,
  type VerifiedLeaf,
} from './format.ts';

const schemaVersion = 'ATIF-v1.7';

/**
 * The Agent Trajectory Interchange Format of Harbor: a JSON file for each verified end of an episode. The format is linear:
 * reward, verdict, digests and who took a step stand in `extra`.
 */
export const atif: TrajectoryFormat = {
  name: 'atif',
  about: 'ATIF trajectories of Harbor: a JSON file for each verified end of an episode.',
  episodes: 'training',
  create({ folder, version }) {
    const files: TrajectoryFile[] = [];
    const names = new Set<string>();
    return {
      add({ record, requests, leaves }) {
        for (const leaf of leaves) {
          const conversation = conversationOf(record, leaf.leaf, requests);
          // An episode that was verified before its first step has no conversation.
          if (conversation.turns.length === 0) continue;
          const text = `${JSON.stringify(trajectoryOf(leaf, conversation, version), null, 2)}\n`;
          const name = freeName(names, leaf);
          writeFileSync(join(folder, name), text);
          files.push({ name, trajectories: 1, bytes: Buffer.byteLength(text), sha256: hash('sha256', text, 'hex') });
        }
      },
      finish: () => files,
      abandon: () => {},
    };
  },
};

function freeName(names: Set<string>, leaf: VerifiedLeaf): string {
  const base = fileNameOf(trajectoryId(leaf));
  let name = `${base}.json`;
  for (let number = 2; names.has(name); number++) name = `${base}.${number}.json`;
  names.add(name);
  return name;
}

function trajectoryOf(leaf: VerifiedLeaf, { opening, turns }: Conversation, version: string): JsonObject {
  const { record } = leaf;
  const steps = [...opening.map(openingStep), ...turns.flatMap(turn => stepsOf(turn, record.head.student))];
  const calls = turns.flatMap(({ request: { call } }) => (call === null ? [] : [call]));
  const sum = (figure: (call: (typeof calls)[number]) => number | null | undefined): number | undefined =>
    calls.some(call => typeof figure(call) === 'number')
      ? calls.reduce((total, call) => total + (figure(call) ?? 0), 0)
      : undefined;
  return {
    schema_version: schemaVersion,
    session_id: `${record.head.run}/${record.head.key}`,
    trajectory_id: trajectoryId(leaf),
    agent: {
      name: 'espalier',
      version,
      model_name: record.head.student,
      tool_definitions: JSON.parse(turns[0]?.request.tools ?? '[]') as Json,
    },
    steps: steps.map((step, at) => ({ step_id: at + 1, ...step })),
    final_metrics: defined({
      total_prompt_tokens: sum(({ reply }) => reply.usage?.prompt),
      total_completion_tokens: sum(({ reply }) => reply.usage?.completion),
      total_cached_tokens: sum(({ reply }) => reply.usage?.cached),
      total_cost_usd: sum(({ cost }) => cost),
      total_steps: steps.length,
    }) as JsonObject,
    extra: {
      reward: rewardOf(leaf),
      verdict: verdictFigures(leaf.verdict),
      task: taskOf(record),
      source: sourceOf(leaf),
    },
  };
}

/** A step before it is numbered. */
type Step = JsonObject & { readonly source: string };

function openingStep(message: Message): Step {
  const { role } = message;
  if (role === 'assistant') return unusedStep(message);
  return { source: role === 'system' ? 'system' : 'user', message: contentOf(message) };
}

/** The step of an answer with its results; answers of no use that came after it are steps of their own. */
function stepsOf(turn: Turn, student: string): Step[] {
  const steps: Step[] = [answerStep(turn, student)];
  for (const message of turn.after) {
    if (message['role'] === 'assistant') steps.push(unusedStep(message));
    else steps.push(withResult(steps.pop() as Step, message));
  }
  return steps;
}

function answerStep({ nodes, answer, request: { call, source } }: Turn, student: string): Step {
  const [{ actor }] = nodes;
  const { content, reasoning_content: reasoning } = answer;
  return defined({
    source: 'agent',
    model_name: call?.reply.model ?? (actor.name === student ? undefined : actor.name),
    message: typeof content === 'string' ? content : '',
    reasoning_content: call !== null && typeof reasoning === 'string' ? reasoning : undefined,
    tool_calls: toolCalls(answer),
    metrics: call === null ? undefined : metricsOf(call),
    llm_call_count: call === null ? 0 : 1,
    extra: {
      nodes: nodes.map(({ id }) => id),
      digests: { before: nodes[0].before, after: (nodes.at(-1) ?? nodes[0]).after },
      actor,
      applied: nodes.every(({ outcome }) => outcome.applied),
      request: source,
    },
  }) as Step;
}

/** An answer that led to no step. */
function unusedStep(message: Message): Step {
  const { content } = message;
  return defined({
    source: 'agent',
    message: typeof content === 'string' ? content : '',
    tool_calls: toolCalls(message),
    extra: { unused: true },
  }) as Step;
}

function toolCalls(message: Message): JsonObject[] | undefined {
  const calls = callsIn(message);
  if (calls.length === 0) return undefined;
  return calls.map(({ id, name, input }) => ({
    tool_call_id: id,
    function_name: name,
    arguments: typeof input === 'string' ? { input } : input,
  }));
}

/** A result names its call only where that is a call of the same step: the format refuses others. */
function withResult(step: Step, message: Message): Step {
  const { observation, tool_calls: calls } = step;
  const { tool_call_id: id } = message;
  const isOwn = Array.isArray(calls) && calls.some(call => (call as JsonObject)['tool_call_id'] === id);
  const result = { ...(isOwn && typeof id === 'string' ? { source_call_id: id } : {}), content: contentOf(message) };
  const before = (observation as JsonObject | undefined)?.['results'];
  return { ...step, observation: { results: [...(Array.isArray(before) ? before : []), result] } };
}

function metricsOf({ reply, cost }: NonNullable<Turn['request']['call']>): JsonObject {
  const { usage, tokens } = reply;
  return defined({
    prompt_tokens: usage?.prompt,
    completion_tokens: usage?.completion,
    cached_tokens: usage?.cached,
    cost_usd: cost ?? undefined,
    prompt_token_ids: tokens?.prompt ?? undefined,
    completion_token_ids: tokens?.completion ?? undefined,
    logprobs: tokens?.logprobs ?? undefined,
  }) as JsonObject;
}

/** A text, or parts where there are pictures. */
function contentOf(message: Message): Json {
  const { content } = message;
  if (!Array.isArray(content)) return textOf(message);
  return (content as readonly JsonObject[]).map(part => {
    const image = part['image_url'] as JsonObject | undefined;
    if (image === undefined) return { type: 'text', text: String(part['text'] ?? '') };
    const url = String(image['url']);
    const [, type = 'image/png'] = /^data:([^;]+);/.exec(url.slice(0, 40)) ?? [];
    return { type: 'image', source: { media_type: type, path: url } };
  });
}
