import type { TriedPlace } from '../../analysis/signals/causes.ts';
import { criticalByForks } from '../../analysis/signals/diagnosis/agent-debug.ts';
import type { EpisodeRecord } from '../../core/episode/record.ts';
import type { EpisodeSource } from '../../core/episode/journal.ts';
import { annotationsPath } from './annotate.ts';
import { readAnnotations, readHeader, storeKey } from './annotations-file.ts';

export type TriedPlaces = (episode: Pick<EpisodeRecord, 'head'>) => TriedPlace | undefined;

/** Where `annotate --forks` found the first wrong steps of a run. Annotations of other episodes, or without forks, say nothing. */
export function readTriedPlaces(folder: string, source: EpisodeSource): TriedPlaces {
  const file = annotationsPath(folder);
  const header = readHeader(file);
  if (header === null || !header.forks || header.store !== storeKey(source)) return () => undefined;
  const places = new Map<string, TriedPlace>();
  for (const { run, episode, annotations } of readAnnotations(file)) {
    const found = annotations.find(
      ({ signal, label, value }) =>
        signal === criticalByForks.signal && label === criticalByForks.label && value === criticalByForks.value,
    );
    if (episode === null || found === undefined || found.node === null) continue;
    const reason = (found.note ?? '').replace(/^tried by forks: /, '');
    places.set(`${run} ${episode}`, { node: found.node, reason });
  }
  return ({ head }) => places.get(`${head.run} ${head.key}`);
}
