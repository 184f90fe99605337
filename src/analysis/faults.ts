import { z } from 'zod';
import { failedChecks } from '../core/check-ids.ts';
import { certificateOf, lacksCertificate } from '../core/episode/certificate.ts';
import { boundarySchema, outcomeSchema, type Outcome } from '../core/episode/events.ts';
import type { EpisodeSummary } from '../core/episode/journal.ts';

/** Episodes that did not pass, or passed without the certificate that they need, by how and why. */
export const faultSchema = z.strictObject({
  outcome: z.enum([...outcomeSchema.exclude(['passed']).options, 'uncertified']),
  /** The side that broke; null unless errored. */
  boundary: boundarySchema.nullable(),
  reason: z.string().nullable(),
  count: z.int().positive(),
});
export type Fault = z.infer<typeof faultSchema>;

/** How often a check did not hold in episodes of a template that were verified. */
export const failedCheckSchema = z.strictObject({
  /** `evaluated: student 42f61bac`, or `collected: untrained`. Empty in reports of earlier versions. */
  policy: z.string().default(''),
  /** `mail/star-message`. */
  template: z.string(),
  /** Id of the check; `clean` when something was changed that the task does not allow. */
  check: z.string(),
  count: z.int().positive(),
  /** Verified episodes of the template. */
  of: z.int().positive(),
});
export type FailedCheck = z.infer<typeof failedCheckSchema>;

/** Failed checks of each policy by itself, the most frequent first. */
export function countFailedChecks(summaries: Iterable<EpisodeSummary>): readonly FailedCheck[] {
  const verified = new Map<string, number>();
  const failed = new Map<string, Omit<FailedCheck, 'of'>>();
  for (const { head, end } of summaries) {
    if (end.verdict === null) continue;
    const template = `${head.task.environment}/${head.task.template}`;
    const policy = `${head.phase === 'evaluate' ? 'evaluated' : 'collected'}: ${head.student}`;
    const place = JSON.stringify([policy, template]);
    verified.set(place, (verified.get(place) ?? 0) + 1);
    for (const check of failedChecks(end.verdict, head.task.parameters)) {
      const key = JSON.stringify([policy, template, check]);
      failed.set(key, { policy, template, check, count: (failed.get(key)?.count ?? 0) + 1 });
    }
  }
  const all = [...failed.values()].map(found => ({
    ...found,
    of: verified.get(JSON.stringify([found.policy, found.template])) ?? found.count,
  }));
  return all.toSorted((a, b) => b.count - a.count);
}

/** The most frequent first. */
export function countFaults(summaries: Iterable<EpisodeSummary>): readonly Fault[] {
  const faults = new Map<string, Fault>();
  for (const summary of summaries) {
    const { boundary } = summary.end;
    const outcome = outcomeOf(summary);
    if (outcome === 'passed') continue;
    const reason = outcome === 'uncertified' ? lackOf(summary) : summary.end.reason;
    const key = JSON.stringify([outcome, boundary, reason]);
    faults.set(key, { outcome, boundary, reason, count: (faults.get(key)?.count ?? 0) + 1 });
  }
  return [...faults.values()].toSorted((a, b) => b.count - a.count);
}

/** `uncertified` is passed, not certified. */
export function outcomeOf(summary: EpisodeSummary): Outcome | 'uncertified' {
  const { outcome, leaf } = summary.end;
  return outcome === 'passed' && lacksCertificate(summary, leaf) ? 'uncertified' : outcome;
}

/** Why there is no certificate, in the few words that episodes are counted by. */
function lackOf(summary: EpisodeSummary): string {
  const found = certificateOf(summary, summary.end.leaf);
  if (found === null) return 'not replayed yet';
  return found.result === 'diverged' ? `its replay differs: ${found.what}` : 'its replay broke';
}
