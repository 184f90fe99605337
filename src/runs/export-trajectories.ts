import { existsSync, statSync } from 'node:fs';
import { exportTrajectories, type ExportedTrajectories } from '../dataset/trajectories/export-trajectories.ts';
import { trajectoryFormats } from '../dataset/trajectories/formats.ts';
import type { ExportRunOptions } from './export.ts';
import { editionOf, openRun, runPaths } from './folder/folder.ts';
import { toolsOfRun } from './tools-of-run.ts';

export interface TrajectoryExportOptions
  extends Pick<ExportRunOptions, 'folder' | 'host' | 'given' | 'out' | 'round' | 'window'> {
  /** Names of formats. */
  readonly formats: readonly string[];
  /** Of Espalier: files say who wrote them. */
  readonly version: string;
  onProgress?(episodes: number): void;
}

/** Writes the episodes of a run as other tools read them, each format into a folder of its name. */
export async function exportRunTrajectories(options: TrajectoryExportOptions): Promise<ExportedTrajectories[]> {
  const { folder, out = runPaths(folder).export, round, window, version, onProgress } = options;
  const formats = [...new Set(options.formats)].map(name => trajectoryFormats.need(name));
  const source = openRun(folder);
  try {
    return exportTrajectories({
      source,
      formats,
      folder: out,
      startedAt: startOf(folder),
      version,
      toolsOf: await toolsOfRun(options, source),
      edition: editionOf(folder),
      ...(round === undefined ? {} : { filter: { round } }),
      ...(window === undefined ? {} : { window }),
      ...(onProgress === undefined ? {} : { onProgress }),
    });
  } finally {
    source.close();
  }
}

/** A run writes its config before anything else. One that was served has none. */
function startOf(folder: string): number {
  const { config, store } = runPaths(folder);
  return Math.floor(statSync(existsSync(config) ? config : store).mtimeMs);
}
