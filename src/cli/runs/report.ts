import { pointsText } from '../../analysis/report/figures/comparison.ts';
import { invalidOption } from '../../core/errors.ts';
import { writeComparedRuns, writeRunReport } from '../../runs/write-report.ts';
import { describeMachine, packageVersion } from '../../system/about.ts';
import type { EpisodeSource } from '../../core/episode/journal.ts';
import { openRun } from '../../runs/folder/folder.ts';
import { selectFrom, selectionText } from '../terminal/select.ts';
import { columns, type ExitCode, type Output } from '../terminal/output.ts';

export interface ReportRequest {
  /** Folder of a run, or a file of report data. */
  readonly source: string;
  /** Further runs, to be compared with it. */
  readonly others?: readonly string[];
  readonly out?: string;
  /** A condition on episodes. */
  readonly where?: string;
  readonly json?: boolean;
}

export async function report(output: Output, request: ReportRequest): Promise<ExitCode> {
  if ((request.others ?? []).length > 0) return compare(output, request);
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

function compare(output: Output, { source, others = [], out, where, json }: ReportRequest): ExitCode {
  if (where !== undefined)
    throw invalidOption('--where chooses episodes of one run.', 'Expected one run, or several without --where.');
  output.progress('writing the report …');
  const folders = [source, ...others];
  const { data, written } = writeComparedRuns({ folders, out, machine: describeMachine(), version: packageVersion() });
  output.progress('');
  if (json === true) {
    output.json({ written, differences: data.runDifferences ?? [] });
    return 0;
  }
  const heads = ['run', 'against', 'measured on', 'difference in points', 'pairs', 'better / worse / equal'];
  const rows = (data.runDifferences ?? []).map(({ run, against, measured, difference: found }) => [
    run,
    against,
    measured,
    pointsText(found),
    String(found.pairs),
    `${found.wins} / ${found.losses} / ${found.ties}`,
  ]);
  if (rows.length === 0) output.line('They have no task and trial in common that both ended.');
  else for (const text of columns([heads, ...rows])) output.line(text);
  for (const path of written) output.line(`Written to ${output.paint.bold(path)}`);
  return 0;
}

function write(output: Output, { source, out, json }: ReportRequest, episodes?: EpisodeSource): ExitCode {
  output.progress('writing the report …');
  const { written } = writeRunReport({ source, out, machine: describeMachine(), version: packageVersion(), episodes });
  output.progress('');
  if (json === true) output.json({ written });
  else for (const path of written) output.line(`Written to ${output.paint.bold(path)}`);
  return 0;
}
