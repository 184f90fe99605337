import type { EpisodeSource } from '../../core/episode/journal.ts';
import { foldEpisode } from '../../core/episode/record.ts';
import type { Json } from '../../core/json.ts';
import { candidatesOf } from '../../dataset/candidate.ts';
import { createRequests } from '../../dataset/requests/requests.ts';
import { usualTables } from '../../dataset/tables.ts';
import type { RowPreview } from '../../server/studio/api.ts';
import { toolsOfRun } from '../exports/tools-of-run.ts';
import { openRun } from '../folder/folder.ts';
import type { Host } from '../host.ts';
import type { RunIndex } from './run-index.ts';

export interface PreviewOptions {
  readonly folder: string;
  readonly host: Host;
  readonly index: RunIndex;
}

const mostRows = 200;

/** The rows of one episode as an export writes them, if the archive keeps its leaves. None of an evaluation. */
export async function previewRows({ folder, host, index }: PreviewOptions, episode: number): Promise<RowPreview[]> {
  const record = foldEpisode(index.listing.episode(episode));
  if (record.head.phase !== 'collect' || record.head.task.split !== 'train') return [];
  const source = openRun(folder);
  try {
    const toolsOf = await toolsOfRun({ folder, host }, source);
    const requests = createRequests({ source: source as Pick<EpisodeSource, 'attachment' | 'episodes'>, toolsOf });
    const archived = candidatesOf(record);
    const made = { record, archived, requests, isRight: () => true, passesFrom: () => false, passing: () => null };
    return usualTables
      .filter(({ episodes }) => episodes === 'training')
      .flatMap(table => [...table.rows(made)].map(row => ({ table: table.name, row: row as Record<string, Json> })))
      .slice(0, mostRows);
  } finally {
    source.close();
  }
}
