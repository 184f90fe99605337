import type { EpisodeRecord } from '../../../core/episode/record.ts';

/** Paths that the verdict says were changed and should not have been, without the words beside them. */
export function sideEffectPaths({ end }: Pick<EpisodeRecord, 'end'>): readonly string[] {
  return (end.verdict?.evidence.sideEffects ?? []).map(told => told.split(' (', 1)[0] as string);
}
