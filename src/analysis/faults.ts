import { z } from 'zod';
import { boundarySchema, outcomeSchema } from '../core/episode/events.ts';
import type { EpisodeSummary } from '../core/episode/journal.ts';

/** Episodes that did not pass, by how and why. */
export const faultSchema = z.strictObject({
  outcome: outcomeSchema.exclude(['passed']),
  /** The side that broke; null unless errored. */
  boundary: boundarySchema.nullable(),
  reason: z.string().nullable(),
  count: z.int().positive(),
});
export type Fault = z.infer<typeof faultSchema>;

/** The most frequent first. */
export function countFaults(summaries: Iterable<EpisodeSummary>): readonly Fault[] {
  const faults = new Map<string, Fault>();
  for (const { end } of summaries) {
    const { outcome, boundary, reason } = end;
    if (outcome === 'passed') continue;
    const key = JSON.stringify([outcome, boundary, reason]);
    faults.set(key, { outcome, boundary, reason, count: (faults.get(key)?.count ?? 0) + 1 });
  }
  return [...faults.values()].toSorted((a, b) => b.count - a.count);
}
