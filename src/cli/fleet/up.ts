import type { ExitCode, Output } from '../terminal/output.ts';
import { stoppable } from '../terminal/stop.ts';
import { startPostgresServer } from '../../system/postgres/server.ts';

export interface UpRequest {
  readonly data: string;
  readonly host: string;
  readonly port: number;
  readonly json?: boolean;
}

/** Starts the database of a fleet, and stops it with this program. */
export async function up(output: Output, { data, host, port, json = false }: UpRequest): Promise<ExitCode> {
  return stoppable<ExitCode>(output, async ({ signal }) => {
    const server = await startPostgresServer({ folder: data, host, port });
    if (json) output.json({ address: server.address, pid: server.pid });
    else {
      output.line(`The fleet is up: ${output.paint.bold(server.address)}`);
      output.line(output.paint.dim('In other terminals, here and on other machines:'));
      output.line(output.paint.dim(`  espalier worker --queue ${server.address}`));
      output.line(output.paint.dim(`  espalier collect mail --out runs/mail --fleet ${server.address}`));
    }
    const stopped = new Promise<null>(done => signal.addEventListener('abort', () => done(null), { once: true }));
    const ended = await Promise.race([server.ended, stopped]);
    if (ended === null) await server.stop();
    else output.note(`Postgres ended: ${ended}`);
    return ended === null ? 0 : 1;
  });
}
