import type { Certificate } from '../../core/episode/certificate.ts';
import { episodeHeadSchema } from '../../core/episode/events.ts';
import type { Journal } from '../../core/episode/journal.ts';
import { parseRecord } from '../../core/records.ts';
import { createLog } from '../journal.ts';
import { attachedBy, linesOf, rowOf, type EpisodeRow } from './episode-row.ts';

/** Episodes that have ended and are not written yet, with all that belongs to them. */
export interface FinishedEpisodes {
  readonly rows: readonly EpisodeRow[];
  /** By hash. */
  readonly attached: ReadonlyMap<string, Uint8Array>;
  /** By the key of their episode. */
  readonly certificates: ReadonlyMap<string, readonly Certificate[]>;
}

/** A journal in memory: what has ended in it is written to Postgres by whoever takes it. */
export function createMemoryJournal(): Journal & { take(): FinishedEpisodes } {
  const rows: EpisodeRow[] = [];
  const attached = new Map<string, Uint8Array>();
  const certificates = new Map<string, Certificate[]>();
  let attempts = 0;
  return {
    done: () => new Set(),
    begin(given) {
      const head = parseRecord(episodeHeadSchema, given, { what: 'head of the episode', code: 'corrupt-record' });
      const lines: string[] = [];
      const own = new Map<string, Uint8Array>();
      return createLog(
        { head, attempt: ++attempts, events: 0 },
        {
          take(entry) {
            lines.push(...linesOf(entry));
            for (const [hash, data] of attachedBy(entry)) own.set(hash, data);
          },
          end(ending) {
            rows.push(rowOf(ending, lines));
            for (const [hash, data] of own) attached.set(hash, data);
          },
        },
      );
    },
    certify({ key }, certificate) {
      certificates.set(key, [...(certificates.get(key) ?? []), certificate]);
    },
    flush: () => undefined,
    take: () => ({ rows, attached, certificates }),
  };
}
