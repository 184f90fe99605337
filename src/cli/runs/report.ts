import { writeRunReport } from '../../runs/write-report.ts';
import { describeMachine, packageVersion } from '../../system/about.ts';
import type { EpisodeSource } from '../../core/episode/journal.ts';
import { openRun } from '../../runs/folder/folder.ts';
import { selectFrom, selectionText } from '../terminal/select.ts';
import type { ExitCode, Output } from '../terminal/output.ts';

export interface ReportRequest {
  /** Folder of a run, or a file of report data. */
  readonly source: string;
  readonly out?: string;
  /** A condition on episodes. */
  readonly where?: string;
  readonly json?: boolean;
}

export async function report(output: Output, request: ReportRequest): Promise<ExitCode> {
  if (request.where === undefined) return write(output, request);
  const store = openRun(request.source);
  try {
    const selection = await selectFrom(output, store, { run: request.source, where: request.where });
    output.note(selectionText(selection));
    return write(output, request, selection.source);
  } finally {
    store.close();
  }
}

function write(output: Output, { source, out, json }: ReportRequest, episodes?: EpisodeSource): ExitCode {
  output.progress('writing the report …');
  const { written } = writeRunReport({ source, out, machine: describeMachine(), version: packageVersion(), episodes });
  output.progress('');
  if (json === true) output.json({ written });
  else for (const path of written) output.line(`Written to ${output.paint.bold(path)}`);
  return 0;
}
