import { isByPerson, type EpisodeHead } from '../../core/episode/events.ts';
import type { EpisodeFilter, EpisodeSource } from '../../core/episode/journal.ts';

/** The episodes of a run in which agents acted: what people added changes no rate. A run that people played alone is left as it is. */
export function agentEpisodes(source: EpisodeSource): EpisodeSource {
  const heads = Array.from(source.summaries(), ({ head }) => head);
  if (heads.every(isByPerson) || !heads.some(isByPerson)) return source;
  const wanted = (filter: EpisodeFilter = {}): EpisodeFilter => {
    const wants = filter.wants ?? (() => true);
    return { ...filter, wants: summary => isOfAgent(summary) && wants(summary) };
  };
  return {
    attachment: source.attachment,
    *episodes(filter) {
      for (const stored of source.episodes(wanted(filter))) if (isOfAgent(stored)) yield stored;
    },
    *summaries(filter) {
      for (const summary of source.summaries(filter)) if (isOfAgent(summary)) yield summary;
    },
  };
}

function isOfAgent({ head }: { readonly head: EpisodeHead }): boolean {
  return !isByPerson(head);
}
