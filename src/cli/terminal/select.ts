import type { EpisodeSource } from '../../core/episode/journal.ts';
import { count } from '../../core/text.ts';
import { selectEpisodes, type Selection } from '../../runs/annotations/select.ts';
import { createSystemHost } from '../../system/workers/host.ts';
import type { Output } from './output.ts';

export interface SelectRequest {
  readonly run: string;
  readonly where: string;
  readonly signal?: readonly string[] | undefined;
}

/** Finds the episodes that meet a condition, with progress while their signals are computed. */
export async function selectFrom(output: Output, source: EpisodeSource, request: SelectRequest): Promise<Selection> {
  const { run, where, signal } = request;
  const selection = await selectEpisodes(source, {
    folder: run,
    where,
    signals: signal,
    host: createSystemHost(),
    onProgress({ episodes, total }) {
      if (episodes % 100 === 0) output.progress(`annotating: ${episodes} of ${count(total, 'episode')} …`);
    },
  });
  output.progress('');
  return selection;
}

/** `12 of 40 episodes meet the condition; 3 have no value for it and were left out.` */
export function selectionText({ selected, total, undecided }: Omit<Selection, 'source'>): string {
  const left = undecided === 0 ? '' : `; ${undecided} lack a value that it asks for and were left out`;
  return `${selected} of ${count(total, 'episode')} meet the condition${left}.`;
}
