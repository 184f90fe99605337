import { invalidOption } from '../../core/errors.ts';
import { count } from '../../core/text.ts';
import { exportRunTrajectories } from '../../runs/export-trajectories.ts';
import { packageVersion } from '../../system/about.ts';
import { createSystemHost } from '../../system/workers/host.ts';
import { columns, type ExitCode, type Output } from '../terminal/output.ts';

const episodesBetweenWords = 20;
const mostFilesListed = 20;

export interface ExportAsRequest {
  readonly run: string;
  readonly as: readonly string[];
  readonly out?: string;
  readonly round?: number;
  readonly window?: number;
  readonly json?: boolean;
}

/** Writes whole episodes as other tools read them. */
export async function exportAs(output: Output, request: ExportAsRequest): Promise<ExitCode> {
  refuseOptionsOfRows(request);
  const { run, out, round, window } = request;
  const exported = await exportRunTrajectories({
    folder: run,
    host: createSystemHost(),
    formats: request.as,
    version: packageVersion(),
    out,
    round,
    window,
    onProgress(episodes) {
      if (episodes % episodesBetweenWords === 0) output.progress(`exporting: ${count(episodes, 'episode')} read …`);
    },
  });
  output.progress('');
  const written = exported.flatMap(({ files }) => files).reduce((sum, { trajectories }) => sum + trajectories, 0);
  if (request.json === true) output.json({ formats: exported });
  else {
    const { paint, line } = output;
    for (const { format, folder, files, left } of exported) {
      const heads = [format, 'trajectories', 'bytes', 'sha256'].map(head => paint.dim(head));
      const rows = files
        .slice(0, mostFilesListed)
        .map(({ name, trajectories, bytes, sha256 }) => [
          name,
          trajectories.toLocaleString('en'),
          bytes.toLocaleString('en'),
          paint.dim(sha256.slice(0, 12)),
        ]);
      for (const text of columns([heads, ...rows], [1, 2])) line(text);
      if (files.length > mostFilesListed) line(`… ${count(files.length - mostFilesListed, 'file')} more`);
      for (const [why, number] of Object.entries(left)) line(`Left out: ${count(number, 'end')} of episodes, ${why}.`);
      line(`Written to ${paint.bold(folder)}`);
      line();
    }
  }
  if (written > 0) return 0;
  output.note('Nothing was written: no episode of this run fits the format. `espalier inspect` shows what it has.');
  return 1;
}

/** Options that say which rows to write have no meaning here. */
const optionsOfRows: ReadonlySet<string> = new Set([
  'table',
  'signal',
  'tokens',
  'format',
  'weigh',
  'mask',
  'keep',
  'bins',
  'where',
]);

function refuseOptionsOfRows(request: ExportAsRequest): void {
  const given = Object.keys(request).filter(name => optionsOfRows.has(name));
  if (given.length === 0) return;
  throw invalidOption(
    `--as writes whole episodes, and takes no ${given.map(name => `--${name}`).join(', ')}.`,
    'Expected --as alone, or with --out, --round and --window; export rows with a call of their own.',
  );
}
