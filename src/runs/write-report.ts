import { statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { EpisodeSource } from '../core/episode/journal.ts';
import { readReportData, type ReportData } from '../analysis/report/data.ts';
import { writeReport } from '../analysis/report/write-report.ts';
import { readJson } from '../modules/read-file.ts';
import { openRun, runPaths, writeWhole } from './folder/folder.ts';
import { readComparedRuns } from './compare-runs.ts';
import { readReport } from './report.ts';

export interface WriteRunReportOptions {
  /** Folder of a run, or the JSON of a report, to draw it again. */
  readonly source: string;
  /** The page to write: `report.html` in the folder of the run when left out. */
  readonly out?: string | undefined;
  /** What the report says of the machine and the version it was written with. */
  readonly machine: string;
  readonly version: string;
  /** Only these episodes of the run. */
  readonly episodes?: EpisodeSource | undefined;
}

export interface WriteComparedRunsOptions extends Pick<WriteRunReportOptions, 'out' | 'machine' | 'version'> {
  /** Folders of the runs, the one that the others are compared with first. */
  readonly folders: readonly string[];
}

/** Writes several runs as one page: `comparison.html` in the folder of the first when `out` is left out. */
export function writeComparedRuns({ folders, out, machine, version }: WriteComparedRunsOptions): WrittenReport {
  const [first = ''] = folders;
  const page = out ?? join(first, 'comparison.html');
  const data = readComparedRuns({ folders, command: `espalier report ${folders.join(' ')}`, machine, version });
  writeWhole(page, drawRun(first, data));
  const figures = beside(page, '.json');
  writeWhole(figures, `${JSON.stringify(data, null, 2)}\n`);
  return { data, written: [page, figures] };
}

export interface WrittenReport {
  readonly data: ReportData;
  /** Files that were written: the page first, then its figures as JSON. */
  readonly written: readonly string[];
}

/** Writes a run as one HTML page, and its figures as JSON beside it. */
export function writeRunReport(options: WriteRunReportOptions): WrittenReport {
  const { source, out, machine, version, episodes } = options;
  if (statSync(source, { throwIfNoEntry: false })?.isFile() === true) {
    const page = out ?? beside(source, '.html');
    const data = readReportData(readJson(source));
    writeWhole(page, writeReport(data));
    return { data, written: [page] };
  }
  const page = out ?? runPaths(source).report;
  const data = readReport({ folder: source, command: `espalier report ${source}`, machine, version, episodes });
  writeWhole(page, drawRun(source, data));
  const figures = beside(page, '.json');
  writeWhole(figures, `${JSON.stringify(data, null, 2)}\n`);
  return { data, written: [page, figures] };
}

/** With the screenshots of the run: the data names them, the store has them. */
function drawRun(folder: string, data: ReportData): string {
  const store = openRun(folder);
  try {
    return writeReport(data, { pictures: store.attachment });
  } finally {
    store.close();
  }
}

/** The same name with another ending. */
function beside(path: string, ending: string): string {
  return join(dirname(path), basename(path).replace(/\.[^.]*$/, '') + ending);
}
