import { writeRunReport } from '../../runs/write-report.ts';
import { describeMachine, packageVersion } from '../../system/about.ts';
import type { ExitCode, Output } from '../output.ts';

export interface ReportRequest {
  /** Folder of a run, or a file of report data. */
  readonly source: string;
  readonly out?: string;
  readonly json?: boolean;
}

export async function report(output: Output, { source, out, json }: ReportRequest): Promise<ExitCode> {
  output.progress('writing the report …');
  const { written } = writeRunReport({ source, out, machine: describeMachine(), version: packageVersion() });
  output.progress('');
  if (json === true) output.json({ written });
  else for (const path of written) output.line(`Written to ${output.paint.bold(path)}`);
  return 0;
}
