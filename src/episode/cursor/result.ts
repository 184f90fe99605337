import type { EpisodeEnd } from '../../core/episode/events.ts';
import { EspalierError } from '../../core/errors.ts';
import type { Verdict } from '../../core/records.ts';
import { BudgetError } from './budget.ts';

/** How an episode ended, without what is measured of it. */
export type EpisodeResult = Pick<EpisodeEnd, 'outcome' | 'reason' | 'boundary' | 'message' | 'verdict'>;

const noError = { boundary: null, message: null };

/** Passed or failed, as the verdict says. */
export function verifiedResult(verdict: Verdict, reason: string | null): EpisodeResult {
  return { outcome: verdict.pass ? 'passed' : 'failed', verdict, reason, ...noError };
}

/** Given up by the rules of whoever drives it. */
export function discardedResult(reason: string): EpisodeResult {
  return { outcome: 'discarded', verdict: null, reason, ...noError };
}

/** Nobody drives it any more. What the agent would have done is not known, so it has not failed. */
export function abandonedResult(message: string): EpisodeResult {
  return { outcome: 'errored', reason: 'abandoned', boundary: 'policy', message, verdict: null };
}

/** An error that names a side of the episode is its outcome. Null for any other: that is a mistake of the caller's. */
export function brokenResult(cause: unknown): EpisodeResult | null {
  if (!(cause instanceof EspalierError) || cause.boundary === 'input') return null;
  const { boundary, message } = cause;
  const reason = cause instanceof BudgetError ? `out of ${cause.resource}` : cause.code.replaceAll('-', ' ');
  return { outcome: 'errored', reason, boundary, message, verdict: null };
}

/** Why a verified episode did not pass: what stopped it, else that its finish was wrong. */
export function failureReason(verdict: Verdict, stopped: string | null): string | null {
  return verdict.pass ? null : (stopped ?? 'finish not passed');
}
