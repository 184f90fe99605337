import type { ModelCall } from '../../core/chat/model.ts';
import type { EpisodeRecord } from '../../core/episode/record.ts';
import type { JsonObject } from '../../core/json.ts';
import { failureText } from '../sessions/failure-text.ts';
import { traceGraphOf } from './trace-nodes.ts';

export interface FinishedRun {
  readonly record: EpisodeRecord;
  /** What the student was asked, in order. */
  readonly calls: readonly ModelCall[];
  /** Seconds since 1970. */
  readonly begun: number;
  readonly ended: number;
}

export interface RunAnswer {
  /** The trace as one change: verifiers takes traces as changes. */
  readonly delta: object;
  readonly reply: object;
}

export interface AnswerOptions {
  readonly task: JsonObject;
  readonly version: string;
  /** Ids of the episode and of the trace. */
  readonly ids: { readonly episode: string; readonly trace: string };
}

/** A rollout as an episode of verifiers. A missing verdict is a missing reward, never a zero. */
export function answerOf(
  { record, calls, begun, ended }: FinishedRun,
  { task: data, version, ids }: AnswerOptions,
): RunAnswer {
  const { head, end, tree } = record;
  const { verdict, outcome } = end;
  const { nodes, calls: made } = traceGraphOf(calls);
  const isOk = outcome !== 'errored';
  const errors = isOk ? [] : [{ type: end.boundary ?? 'error', message: failureText(end, head.student) }];
  const task = { type: 'EspalierTask', data, key: head.task.id, hash: null };
  const span = { start: begun, end: ended };
  const delta = {
    trace: ids.trace,
    open: { version: 1, id: ids.trace, verifiers: { version: `espalier ${version}`, commit: null }, task },
    nodes: nodes.map(node => ({ ...node, semantic_parents: [], timestamp: ended })),
    calls: made.map(call => ({ ...call, time: span })),
    ...(errors.length === 0 ? {} : { errors }),
    set: {
      agent: { config: {}, runtime: null, name: 'agent', trainable: true },
      rewards: { verdict: verdict === null ? null : { score: Number(verdict.pass), weight: 1 } },
      metrics: {
        progress: verdict?.progress ?? null,
        clean: verdict === null ? null : Number(verdict.clean),
        steps: tree.path(end.leaf).length,
      },
      info: { environment: head.task.environment, task: head.task.id, episode: head.key, outcome },
      is_completed: true,
      ok: isOk,
      stop_condition: end.reason ?? (isOk ? 'finished' : 'error'),
      timing: { start: begun, agent: span },
    },
  };
  const standing = { id: ids.episode, env: { id: head.task.environment, name: null }, task, ok: isOk, errors };
  return {
    delta,
    reply: {
      success: true,
      error: null,
      head: standing,
      traces: [{ id: ids.trace, nodes: nodes.length, calls: made.length }],
    },
  };
}
