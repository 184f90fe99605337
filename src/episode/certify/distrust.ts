import type { Certificate } from '../../core/episode/certificate.ts';
import type { EpisodeRecord } from '../../core/episode/record.ts';

/** Environments whose snapshots are not put back any more in this run, and why. */
export interface Distrust {
  /** Null while they are trusted. */
  reason(environment: string): string | null;
  note(record: Pick<EpisodeRecord, 'head' | 'rollbacks'>, certificate: Certificate): void;
}

export function createDistrust(known: ReadonlyMap<string, string> = new Map()): Distrust {
  const reasons = new Map(known);
  return {
    reason: environment => reasons.get(environment) ?? null,
    note({ head, rollbacks }, certificate) {
      const { environment } = head.task;
      // Where nothing was restored, snapshots are not to blame.
      if (certificate.result !== 'diverged' || reasons.has(environment)) return;
      if (rollbacks.some(({ method }) => method === 'restore')) reasons.set(environment, distrustReason(head.key));
    },
  };
}

export function distrustReason(episode: string): string {
  return `the replay of ${episode}, which was restored, differed: snapshots of this environment are not used any more`;
}
