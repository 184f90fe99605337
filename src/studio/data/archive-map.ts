import { foldEpisode } from '../../core/episode/record.ts';
import { createArchive } from '../../dataset/archive/archive.ts';
import { candidatesOf } from '../../dataset/rows/candidate.ts';
import type { ArchiveMap } from '../api/api-archive.ts';
import type { RunIndex } from './run-index.ts';

/** Training episodes that are read for the map. */
const mostRead = 3000;

/** The archive of a run as an export fills it, and which episodes lie in each bin. */
export function archiveMap(index: RunIndex): ArchiveMap {
  const rows = index.rows().filter(({ phase }) => phase === 'collect');
  const archive = createArchive();
  const ids = new Map<string, number>();
  for (const { id, run, key } of rows.slice(0, mostRead)) {
    ids.set(`${run} ${key}`, id);
    const record = foldEpisode(index.listing.outline(id));
    if (record.head.task.split !== 'train') continue;
    for (const candidate of candidatesOf(record)) archive.offer(candidate);
  }
  const [first, second] = archive.figures().descriptors;
  return {
    rowName: first?.name ?? '',
    columnName: second?.name ?? '',
    rows: Object.keys(first?.labels ?? {}),
    columns: Object.keys(second?.labels ?? {}),
    entries: archive.entries().map(({ run, episode, bin, steps, interventions }) => ({
      row: bin[0] ?? '',
      column: bin[1] ?? '',
      episode: ids.get(`${run} ${episode}`) ?? 0,
      key: episode,
      steps,
      interventions,
    })),
    isPartial: rows.length > mostRead,
  };
}
