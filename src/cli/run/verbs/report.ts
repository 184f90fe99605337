import { statSync } from 'node:fs';
import { dirname, join, basename } from 'node:path';
import { readReportData, type ReportData } from '../../../analysis/report/data.ts';
import { writeReport } from '../../../analysis/report/write-report.ts';
import type { ExitCode, Output } from '../../output.ts';
import { describeMachine, packageVersion } from '../about.ts';
import { openRun, readJson, runPaths, writeWhole } from '../folder.ts';
import { readReport } from '../report.ts';

export interface ReportRequest {
  /** Folder of a run, or a file of report data. */
  readonly source: string;
  readonly out?: string;
  readonly json?: boolean;
}

export async function report(output: Output, { source, out, json }: ReportRequest): Promise<ExitCode> {
  const isFile = statSync(source, { throwIfNoEntry: false })?.isFile() === true;
  const page = out ?? (isFile ? beside(source) : runPaths(source).report);
  output.progress('writing the report …');
  const data = isFile ? readReportData(readJson(source)) : readRun(source);
  const written = [page];
  writeWhole(page, isFile ? writeReport(data) : drawRun(source, data));
  if (!isFile) {
    const numbers = beside(page, '.json');
    writeWhole(numbers, `${JSON.stringify(data, null, 2)}\n`);
    written.push(numbers);
  }
  output.progress('');
  if (json === true) output.json({ written });
  else for (const path of written) output.line(`Written to ${output.paint.bold(path)}`);
  return 0;
}

function readRun(folder: string): ReportData {
  return readReport({
    folder,
    command: `espalier report ${folder}`,
    machine: describeMachine(),
    version: packageVersion(),
  });
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
function beside(path: string, ending = '.html'): string {
  return join(dirname(path), basename(path).replace(/\.[^.]*$/, '') + ending);
}
