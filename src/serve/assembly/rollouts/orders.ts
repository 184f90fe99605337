import type { Model } from '../../../core/chat/model.ts';
import type { Environment } from '../../../core/contracts.ts';
import type { Task } from '../../../core/records.ts';
import type { SessionResult, SessionStatus, SubmitRequest, TaskStatus } from '../../rollouts/contract.ts';
import type { PausableModel } from './pausable-model.ts';

/** A task that a trainer submitted. */
export interface TaskOrder {
  readonly request: SubmitRequest;
  readonly task: Task;
  readonly environment: Environment;
  /** Null while the endpoint of a task of an earlier server does not answer. */
  model: Model | null;
  readonly samples: readonly Sample[];
  isCancelled: boolean;
  /** Results that are in the buffer already. */
  readonly grouped: Set<SessionResult>;
}

type SampleState = 'waiting' | 'running' | 'paused' | 'ended';

/** One rollout of a task. */
export interface Sample {
  readonly index: number;
  state: SampleState;
  /** Times it was begun, also by earlier servers. */
  attempt: number;
  /** Times it was paused. */
  pauses: number;
  /** A paused session goes on after the next task has come. */
  mayResume: boolean;
  /** Null until it has begun. */
  pausable: PausableModel | null;
  readonly stop: AbortController;
  /** Why it was stopped before its end. */
  stopped: SessionStatus | null;
  cancelTimeout: () => void;
  result: SessionResult | null;
}

export function createOrder(parts: Pick<TaskOrder, 'request' | 'task' | 'environment' | 'model'>): TaskOrder {
  const samples = Array.from({ length: parts.request.num_samples }, (_, index) => createSample(index));
  return { ...parts, samples, isCancelled: false, grouped: new Set() };
}

function createSample(index: number): Sample {
  return {
    index,
    state: 'waiting',
    attempt: 0,
    pauses: 0,
    mayResume: false,
    pausable: null,
    stop: new AbortController(),
    stopped: null,
    cancelTimeout: () => undefined,
    result: null,
  };
}

export function resultsOf({ samples }: TaskOrder): SessionResult[] {
  return samples.flatMap(({ result }) => result ?? []);
}

export function statusOf(order: TaskOrder): TaskStatus {
  const results = resultsOf(order);
  const isActive = order.samples.some(({ state }) => state === 'running' || state === 'waiting');
  const paused = order.samples.filter(({ state }) => state === 'paused').length;
  return {
    task_id: order.request.task_id,
    status: order.isCancelled ? 'cancelled' : isActive ? 'running' : paused > 0 ? 'partial' : 'completed',
    total_sessions: order.samples.length,
    completed_sessions: results.length,
    paused_sessions: paused,
    results,
  };
}

/** Ends a session early; what it did so far stays in the journal. */
export function stopSample(sample: Sample, status: SessionStatus): void {
  sample.stopped ??= status;
  sample.cancelTimeout();
  sample.stop.abort(new Error(status === 'timeout' ? 'The session took too long.' : 'The session was stopped.'));
}

/** Holds a session back until the next batch. Its tokens are kept. */
export function pauseSample(sample: Sample): void {
  sample.cancelTimeout();
  sample.pausable?.pause();
  sample.state = 'paused';
  sample.mayResume = false;
  sample.pauses++;
}
