import { z } from 'zod';
import type { VersionedTokens } from './token-versions.ts';

const longestName = 255;
const name = z.string().min(1).max(longestName);
const mostSamples = 1024;

/** `POST /rollout/task/submit`. */
export const submitSchema = z.object({
  task_id: name,
  environment: name.optional(),
  /** `star-message` or `star-message/7`. */
  task: name.optional(),
  seed: z.int().nonnegative().optional(),
  num_samples: z.int().positive().max(mostSamples).default(1),
  /** Fewer samples for a task that passed before: `num_samples` is the most, and this the least. */
  least_samples: z.int().positive().max(mostSamples).optional(),
  /** Who trains on it, where several trainers share a server. */
  trainer: name.optional(),
  /** When so many sessions are usable the others are paused; the next task goes on with them first. */
  early_stop_min_usable_sessions: z.int().positive().optional(),
  /** Those with a higher one start first. */
  dispatch_priority: z.number().default(0),
  timeout_seconds: z.number().positive().max(86_400).default(600),
  max_steps: z.int().positive().max(1000).default(30),
  /** An OpenAI-compatible endpoint. Its key is taken from the environment of the server. */
  model: z.object({
    base_url: z.url({ protocol: /^https?$/ }).max(1000),
    model: name,
    temperature: z.number().nonnegative().optional(),
    max_tokens: z.int().positive().optional(),
  }),
  metadata: z.record(z.string(), z.unknown()).default({}),
});
export type SubmitRequest = z.infer<typeof submitSchema>;

/** `POST /rollout/batch`. */
export const batchSchema = z.object({
  groups: z.int().positive().max(4096).default(1),
  max_staleness: z.int().nonnegative().default(1),
  order: z.enum(['deadline', 'arrival']).default('deadline'),
  drop_equal_rewards: z.boolean().default(false),
  /** Takes the groups of this trainer only. */
  trainer: name.optional(),
  /** Groups of other trainers that are added, drawn at random. They stay in the buffer. */
  shared_groups: z.int().nonnegative().max(4096).default(0),
  /** A group without a success gets one of an earlier group on the same task. */
  add_pool_success: z.boolean().default(false),
  /** The share of the steps of a row that is trained on: those that the policy was least sure of. */
  step_share: z.number().positive().max(1).default(1),
});
export type BatchRequest = z.infer<typeof batchSchema>;

/** `POST /rollout/version`. */
export const versionSchema = z.object({
  version: z.int().nonnegative(),
  /** Asks again what is being asked; else answers that span two versions are refused when they are exported. */
  interrupt: z.boolean().default(true),
});
type VersionRequest = z.infer<typeof versionSchema>;

/** One training row: what one policy saw and sampled in one go. */
export interface RolloutTrace extends VersionedTokens {
  readonly prompt_ids: readonly number[];
  readonly response_ids: readonly number[];
  readonly finish_reason: string;
  readonly reward: number | null;
}

/** A row that was left out, and why. */
export interface RefusedRow {
  readonly code: 'stale-logprobs' | 'impossible-logprobs' | 'no-tokens';
  readonly message: string;
}

export type SessionStatus = 'completed' | 'failed' | 'cancelled' | 'timeout';

export interface SessionResult {
  readonly session_id: string;
  readonly task_id: string;
  readonly sample: number;
  readonly status: SessionStatus;
  /** The key of the episode in the run; null when none was recorded to its end. */
  readonly episode: string | null;
  readonly reward: number | null;
  readonly trajectory: { readonly status: SessionStatus; readonly traces: readonly RolloutTrace[] };
  readonly refused: readonly RefusedRow[];
  /** The oldest policy version that sampled a token; null when nothing was sampled. */
  readonly min_version: number | null;
  readonly timing: { readonly run_ms: number; readonly paused: number };
  readonly error: string | null;
}

export interface TaskStatus {
  readonly task_id: string;
  /** `partial` while sessions are paused and none runs. */
  readonly status: 'running' | 'partial' | 'completed' | 'cancelled';
  readonly total_sessions: number;
  readonly completed_sessions: number;
  readonly paused_sessions: number;
  readonly results: readonly SessionResult[];
}

export interface BatchAnswer {
  readonly version: number;
  readonly groups: readonly {
    readonly id: string;
    readonly task_id: string;
    readonly results: readonly SessionResult[];
    /** Whether it is of another trainer. */
    readonly shared: boolean;
  }[];
  readonly expired: number;
  readonly equal: number;
  readonly kept: number;
}

export type RolloutEvent =
  | { readonly type: 'session'; readonly result: SessionResult }
  | { readonly type: 'task'; readonly task_id: string; readonly status: TaskStatus['status'] };

/** Runs rollouts for trainers. Mistakes of a client are thrown as a SessionError or an input error. */
export interface RolloutService {
  submit(request: SubmitRequest): Promise<TaskStatus>;
  status(taskId: string): TaskStatus;
  cancel(taskId: string): Promise<TaskStatus>;
  /** The weights behind the endpoints are of this version from now on. */
  setVersion(request: VersionRequest): void;
  takeBatch(request: BatchRequest): BatchAnswer;
  summary(): object;
  /** Told of everything that happens until it is called off. */
  subscribe(listener: (event: RolloutEvent) => void): () => void;
}
