import type { EpisodeSource } from '../../../core/episode/journal.ts';
import { foldEpisode, type EpisodeRecord } from '../../../core/episode/record.ts';
import { EspalierError } from '../../../core/errors.ts';
import type { Json } from '../../../core/json.ts';
import { candidatesOf } from '../../../dataset/rows/candidate.ts';
import { createRightActions, type RightActions } from '../../../dataset/rows/preferences-checked.ts';
import { annotations } from '../../../dataset/tables/signals.ts';
import { createRequests } from '../../../dataset/requests/requests.ts';
import { exporters, type ExportedEpisode, type Exporter } from '../../../dataset/tables/tables.ts';
import type { RowPreview, RowsPreview } from '../../api/api-episodes.ts';
import { toolsOfRun } from '../../../runs/tools-of-run.ts';
import { openRun } from '../../../runs/folder/folder.ts';
import type { Host } from '../../../runs/host/host.ts';
import { mostSteps } from '../episode-details.ts';
import type { RunIndex } from '../run-index.ts';

export interface PreviewOptions {
  readonly folder: string;
  readonly host: Host;
  readonly index: RunIndex;
}

export interface PreviewPlace {
  readonly episode: number;
  /** A table to show the rows of; those that an export writes by itself when left out. */
  readonly table?: string | undefined;
}

/** Rows of one table that are shown. */
const mostRows = 200;
/** Other episodes of the task that are read, to know which actions are right. */
const mostEpisodes = 200;

/** The rows of one episode as an export writes them, if the archive keeps its leaves. An evaluation gives no training rows. */
export async function previewRows(
  { folder, host, index }: PreviewOptions,
  { episode, table }: PreviewPlace,
): Promise<RowsPreview> {
  const wanted = table === undefined ? null : exporters.need(table).name;
  const record = foldEpisode(index.listing.episode(episode));
  const source = openRun(folder);
  try {
    const toolsOf = await toolsOfRun({ folder, host }, source);
    const requests = createRequests({ source: source as Pick<EpisodeSource, 'attachment' | 'episodes'>, toolsOf });
    const exported = exportedEpisode(record, rightActions(index, episode), requests);
    const tables = exporters.entries.filter(entry => isWritten(entry, record)).map(entry => rowsOf(entry, exported));
    return {
      tables: tables.map(({ rows, hasMore, entry: { name, about, isOptional } }) => ({
        name,
        about,
        rows: rows.length,
        hasMore,
        isUsual: isOptional !== true,
      })),
      rows: tables
        .filter(({ entry }) => (wanted === null ? entry.isOptional !== true : entry.name === wanted))
        .flatMap(({ rows }) => rows)
        .slice(0, mostRows),
    };
  } finally {
    source.close();
  }
}

function isForTraining({ head }: EpisodeRecord): boolean {
  return head.phase === 'collect' && head.task.split === 'train';
}

/** No table by a template, as no model is known here. Signals compare steps with each other: in larger episodes that would hold up the server. */
function isWritten({ episodes, name, needsTemplate }: Exporter, record: EpisodeRecord): boolean {
  if (needsTemplate === true) return false;
  if (name === annotations.name && record.end.counts.taken > mostSteps) return false;
  return episodes === 'all' || isForTraining(record);
}

interface TableRows {
  readonly entry: Exporter;
  readonly rows: readonly RowPreview[];
  readonly hasMore: boolean;
}

function rowsOf(entry: Exporter, exported: ExportedEpisode): TableRows {
  const made = Array.from(Iterator.from(entry.rows(exported)).take(mostRows + 1));
  const rows = made.slice(0, mostRows).map(row => ({ table: entry.name, row: row as Record<string, Json> }));
  return { entry, rows, hasMore: made.length > mostRows };
}

function exportedEpisode(
  record: EpisodeRecord,
  right: RightActions,
  requests: ExportedEpisode['requests'],
): ExportedEpisode {
  return {
    record,
    archived: isForTraining(record) ? candidatesOf(record) : [],
    requests,
    masked: new Set(),
    isRight: node => right.has(record, node),
    passesFrom: node => right.passesFrom(record, node),
    passing: () => right.passing(record),
  };
}

/** What all tries at the task show to be right: no preference may reject that. */
function rightActions(index: RunIndex, episode: number): RightActions {
  const own = index.rows().find(({ id }) => id === episode);
  if (own === undefined) throw gone(episode);
  const others = index
    .rows()
    .filter(({ id, task, phase }) => task === own.task && phase === 'collect' && id !== own.id);
  const right = createRightActions();
  for (const { id } of [own, ...others].slice(0, mostEpisodes)) right.add(foldEpisode(index.listing.episode(id)));
  return right;
}

function gone(episode: number): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'not-found',
    message: `There is no episode ${episode} in this run any more.`,
    expected: 'Load the table of episodes again.',
  });
}
