import type { Edition } from '../../models/prompt/prompts.ts';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { EpisodeFilter, EpisodeSource } from '../../core/episode/journal.ts';
import { foldEpisode } from '../../core/episode/record.ts';
import type { ToolsOf } from '../requests/offers.ts';
import { createRequests } from '../requests/requests.ts';
import { asWriteError } from '../rows/write-error.ts';
import { verifiedLeaves, type TrajectoryFile, type TrajectoryFormat, type TrajectoryTarget } from './format.ts';

export interface ExportTrajectoriesOptions extends TrajectoryTarget {
  readonly source: EpisodeSource;
  readonly formats: readonly TrajectoryFormat[];
  readonly filter?: Omit<EpisodeFilter, 'phase'>;
  readonly toolsOf?: ToolsOf;
  readonly window?: number;
  /** Edition of the built-in prompts; the newest unless given. */
  readonly edition?: Edition;
  onProgress?(episodes: number): void;
}

export interface ExportedTrajectories {
  readonly format: string;
  /** Holds the files, and nothing else. */
  readonly folder: string;
  readonly files: readonly TrajectoryFile[];
  /** Ends of episodes that were not written, by the reason. Held-out templates and evaluations are not counted. */
  readonly left: Readonly<Record<string, number>>;
}

/** Writes finished episodes in these formats, each into a folder of its name. An earlier export is replaced as a whole. */
export function exportTrajectories(options: ExportTrajectoriesOptions): ExportedTrajectories[] {
  const { formats, folder, startedAt, version } = options;
  const partial = join(folder, '.partial');
  const writers: OpenWriter[] = [];
  try {
    rmSync(partial, { recursive: true, force: true });
    for (const format of formats) {
      const place = join(partial, format.name);
      mkdirSync(place, { recursive: true });
      writers.push({ format, writer: format.create({ folder: place, startedAt, version }) });
    }
    const left = writeEpisodes(options, writers);
    const written = writers.map(({ format, writer }) => ({ format, files: writer.finish() }));
    return written.map(({ format, files }) => ({
      format: format.name,
      folder: putInPlace(folder, partial, format.name),
      files,
      left: format.episodes === 'all' ? {} : left,
    }));
  } catch (cause) {
    throw asWriteError(folder, cause);
  } finally {
    for (const { writer } of writers) writer.abandon();
    rmSync(partial, { recursive: true, force: true });
  }
}

interface OpenWriter {
  readonly format: TrajectoryFormat;
  readonly writer: ReturnType<TrajectoryFormat['create']>;
}

function writeEpisodes(options: ExportTrajectoriesOptions, writers: readonly OpenWriter[]): Record<string, number> {
  const { source, filter, onProgress } = options;
  const requests = createRequests(options);
  const left: Record<string, number> = {};
  let read = 0;
  for (const stored of source.episodes(filter)) {
    const record = foldEpisode(stored);
    const isForTraining = record.head.phase === 'collect' && record.head.task.split === 'train';
    const found = verifiedLeaves(record);
    for (const reason of isForTraining ? found.left : []) left[reason] = (left[reason] ?? 0) + 1;
    for (const { format, writer } of writers)
      if (isForTraining || format.episodes === 'all') writer.add({ record, requests, leaves: found.leaves });
    onProgress?.(++read);
  }
  return left;
}

/** The folder of the format takes the place of an earlier one. */
function putInPlace(folder: string, partial: string, name: string): string {
  const place = join(folder, name);
  if (existsSync(place)) rmSync(place, { recursive: true });
  renameSync(join(partial, name), place);
  return place;
}
