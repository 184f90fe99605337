import { describeMachine, packageVersion } from '../system/about.ts';
import { writeRunReport, type WrittenReport } from '../runs/write-report.ts';

export interface ReportOptions {
  /** Folder of a run, or the JSON of a report, to draw it again. */
  readonly folder: string;
  /** The page to write: `report.html` in the folder of the run when left out. */
  readonly out?: string | undefined;
}

/** Writes a run as one HTML page, and its figures as JSON beside it. */
export async function report({ folder, out }: ReportOptions): Promise<WrittenReport> {
  return writeRunReport({ source: folder, out, machine: describeMachine(), version: packageVersion() });
}
