import { createDigest } from '../../core/digest.ts';
import type { EpisodeEvent } from '../../core/episode/events.ts';
import type { Journal, StoredEpisode } from '../../core/episode/journal.ts';

/** A journal that lasts as long as the law that it was made for. */
export interface LawJournal extends Journal {
  /** What ended, by key. */
  readonly ended: ReadonlyMap<string, StoredEpisode>;
}

export function createLawJournal(): LawJournal {
  const ended = new Map<string, StoredEpisode>();
  const digest = createDigest();
  return {
    ended,
    done: () => new Set(ended.keys()),
    begin(head) {
      const events: EpisodeEvent[] = [];
      return {
        attach: data => digest([...data]),
        append: event => void events.push(event),
        end(end) {
          if (ended.has(head.key)) throw new Error(`Episode ${head.key} ended twice.`);
          ended.set(head.key, { head, events, end, certificates: [] });
        },
      };
    },
    certify: () => undefined,
    flush: () => undefined,
  };
}
