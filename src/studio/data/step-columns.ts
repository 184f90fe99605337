import { markSteps } from '../../analysis/gallery.ts';
import { foldEpisode } from '../../core/episode/record.ts';
import type { StepColumns } from '../api/api-episodes.ts';
import type { EpisodeColumns } from '../../store/listing.ts';
import { shortText } from './episode-details.ts';

const letters = { kept: 'k', correction: 'c', 'rolled-back': 'r' } as const;

/** The steps of a large tree, with the same marks that a small one has. */
export function stepColumns({ parents, roles, ...episode }: EpisodeColumns): StepColumns {
  const kept = new Set<number>();
  for (let at = episode.end.leaf; at !== 0 && !kept.has(at); at = parents[at - 1] ?? 0) kept.add(at);
  const marksOf = markSteps(foldEpisode(episode), kept);
  const marks: StepColumns['marks'][number][] = [];
  const statuses = parents.map((_, row) => {
    const id = row + 1;
    const { status, rejection, replaces, verdict } = marksOf(id);
    if (rejection !== null || replaces !== null || verdict !== null)
      marks.push({
        id,
        rejection: rejection === null ? null : shortText(rejection),
        replaces,
        verdict: verdict?.pass ?? null,
      });
    return letters[status];
  });
  return { back: parents.map((parent, row) => row + 1 - parent), roles, statuses: statuses.join(''), marks };
}
