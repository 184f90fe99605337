import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { causeText, invalidOption } from '../../core/errors.ts';
import { count } from '../../core/text.ts';
import { openFleetView } from '../../fleet/view.ts';
import type { StudioSource } from '../../studio/api/api.ts';
import { createStudioSource } from '../../studio/data/studio-source.ts';
import { loadStudioProgram } from '../../studio/server/studio-program.ts';
import { createStudioServer } from '../../studio/server/studio-server.ts';
import { describeMachine, packageVersion } from '../../system/about.ts';
import { createSystemHost } from '../../system/workers/host.ts';
import type { ExitCode, Output } from '../terminal/output.ts';
import { stoppable } from '../terminal/stop.ts';

export interface StudioRequest {
  readonly folder: string;
  readonly port?: number | undefined;
  readonly open?: boolean | undefined;
  /** Key of the episode that the link leads to. */
  readonly episode?: string | undefined;
  /** Address of a fleet to show beside the runs. */
  readonly fleet?: string | undefined;
  readonly json?: boolean | undefined;
}

const graceMilliseconds = 1000;

/** Serves the studio to this machine until it is stopped. */
export async function studio(output: Output, request: StudioRequest): Promise<ExitCode> {
  const { folder, port, open, json, episode } = request;
  const host = createSystemHost({ workers: 0 });
  const secret = (): string => randomBytes(24).toString('base64url');
  const fleet = request.fleet === undefined ? null : await openFleetView(request.fleet, host.clock);
  const source = createStudioSource({
    folder,
    fleet,
    host,
    machine: describeMachine(),
    version: packageVersion(),
    createId: secret,
  });
  try {
    const place = await placeOf(source, episode);
    const program = await loadStudioProgram();
    const key = secret();
    const onFault = (cause: unknown): void => output.note(causeText(cause));
    const { timers } = host;
    const server = await createStudioServer({
      source,
      program,
      port,
      timers,
      key,
      pass: secret(),
      createKey: secret,
      onFault,
    });
    const link = `${server.url}/?key=${key}${place}`;
    if (json === true) output.json({ url: server.url, link, runs: source.runs().map(({ id }) => id) });
    else {
      output.line(
        `${count(source.runs().length, 'run')} in ${output.paint.bold(folder)}. Open this link in a browser:`,
      );
      output.line(`  ${output.paint.bold(link)}`);
      output.line(output.paint.dim('The link works once, on this machine. Ctrl+C stops the studio.'));
    }
    if (open === true) openBrowser(link);
    await stoppable(output, async ({ signal }) => {
      if (!signal.aborted) await once(signal, 'abort');
      await server.close(AbortSignal.timeout(graceMilliseconds));
    });
    return 0;
  } finally {
    await source.close();
    await fleet?.close();
  }
}

/** Where an episode is in the studio; the first run that has it. Nothing for none. */
async function placeOf(source: StudioSource, key: string | undefined): Promise<string> {
  if (key === undefined) return '';
  while (source.isReading()) source.refresh();
  const where = key.includes("'") ? `episode = "${key}"` : `episode = '${key}'`;
  for (const { id } of source.runs()) {
    const { rows } = await source.episodes(id, { where }, { from: 0, count: 1, sort: '' });
    if (rows[0] !== undefined) return `#/run/${encodeURIComponent(id)}/episode/${rows[0].id}`;
  }
  throw invalidOption(
    `No run has the episode "${key}".`,
    'Expected the whole key of an episode: espalier inspect lists them.',
  );
}

/** Whatever opens links on this system; without one, the printed link remains. */
function openBrowser(link: string): void {
  const program = { darwin: 'open', win32: 'explorer' }[process.platform as string] ?? 'xdg-open';
  spawn(program, [link], { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref();
}
