import { createCallReader } from '../../../core/episode/call-log.ts';
import type { EpisodeHead } from '../../../core/episode/events.ts';
import { foldEpisode, type EpisodeRecord } from '../../../core/episode/record.ts';
import type { Clock, Timers } from '../../../core/clock.ts';
import type { Environment } from '../../../core/contracts.ts';
import { causeText } from '../../../core/errors.ts';
import { createTrail } from '../../../worlds/trail.ts';
import { createLlmPolicy } from '../../../agents/llm/llm-policy.ts';
import { runAttempt } from '../../../episode/attempt.ts';
import { createLinear } from '../../../episode/strategies/linear.ts';
import type { SessionResult, SessionStatus, SubmitRequest } from '../../rollouts/contract.ts';
import { failureText } from '../../sessions/failure-text.ts';
import { oldestVersion } from '../../rollouts/token-versions.ts';
import type { Store } from '../../../store/store.ts';
import type { PausableModel } from './pausable-model.ts';
import { tracesOf } from './traces.ts';

export interface SessionSetting {
  readonly store: Store;
  readonly clock: Clock;
  readonly timers: Timers;
}

export interface SessionRun {
  readonly head: EpisodeHead;
  readonly environment: Environment;
  readonly request: Pick<SubmitRequest, 'max_steps'> & { readonly model: SamplingRequest };
  readonly pausable: Pick<PausableModel, 'model' | 'versions'>;
  readonly signal: AbortSignal;
}

/** How the model of a rollout draws its tokens. */
interface SamplingRequest {
  readonly temperature?: number | undefined;
  readonly top_p?: number | undefined;
  readonly max_tokens?: number | undefined;
}

export type SessionOutcome = Pick<
  SessionResult,
  'episode' | 'reward' | 'trajectory' | 'refused' | 'min_version' | 'error'
>;

/** Runs one rollout to its end, journalled as any other episode: its training rows. Null when it was stopped before. */
export async function runSession(run: SessionRun, setting: SessionSetting): Promise<SessionOutcome | null> {
  const record = await runRecorded(run, setting);
  if (record === null) return null;
  const { outcome, verdict } = record.end;
  const readCall = createCallReader(setting.store.attachment);
  const { traces, refused } = tracesOf(record, readCall, run.pausable.versions);
  const status: SessionStatus = outcome === 'errored' ? 'failed' : 'completed';
  return {
    episode: record.head.key,
    // A missing verdict is null, never 0.
    reward: verdict === null ? null : Number(verdict.pass),
    trajectory: { status, traces },
    refused,
    min_version: oldestVersion(traces),
    error: status === 'failed' ? failureText(record.end, record.head.student) : null,
  };
}

/** Runs one rollout to its end, and saves it. Null when it was stopped before. */
export async function runRecorded(
  { head, environment, request, pausable, signal }: SessionRun,
  { store, clock, timers }: SessionSetting,
): Promise<EpisodeRecord | null> {
  const attempt = await runAttempt(head, {
    seed: head.run,
    journal: { ...store, flush: store.save },
    clock,
    timers,
    signal,
    createTrail,
    start: () => ({
      environment,
      student: createLlmPolicy({
        model: pausable.model,
        name: pausable.model.endpoint,
        wantsTokens: true,
        signal,
        sampling: samplingOf(request.model),
      }),
      strategy: createLinear(),
      limits: { steps: request.max_steps },
    }),
  });
  if (attempt === null) return null;
  store.save();
  return foldEpisode(attempt.stored);
}

function samplingOf({ temperature, max_tokens: maxTokens, top_p: topP }: SamplingRequest) {
  return {
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { topP }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
  };
}

/** An end without an episode: cancelled, out of time, or broken before it began. */
export function endedEarly(status: SessionStatus, cause: unknown): SessionOutcome {
  return {
    episode: null,
    reward: null,
    trajectory: { status, traces: [] },
    refused: [],
    min_version: null,
    error: cause === null ? null : causeText(cause),
  };
}
