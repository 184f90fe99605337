import { describeLack } from '../../core/episode/certificate.ts';
import { count } from '../../core/text.ts';
import { wrap, type ExitCode, type Output } from '../terminal/output.ts';
import { createSystemHost } from '../../system/workers/host.ts';
import { certifyRun } from '../../runs/certify/certify.ts';
import { stoppable } from '../terminal/stop.ts';

export interface CertifyRequest {
  readonly run: string;
  readonly environments: readonly string[];
  readonly all?: boolean;
  readonly concurrency: number;
  readonly json?: boolean;
}

export async function certify(output: Output, request: CertifyRequest): Promise<ExitCode> {
  const { run, environments, all, concurrency, json = false } = request;
  const { paint, line, width } = output;
  let isStopped = false;
  const found = await stoppable(output, async ({ signal }) => {
    const done = await certifyRun({
      folder: run,
      environments,
      all,
      concurrency,
      signal,
      host: createSystemHost(),
      onCertificate({ key }, certificate) {
        if (certificate.result === 'agreed') return output.progress(`certified ${key}`);
        const told = `${key}: not certified, as ${describeLack({ certificates: [certificate] }, certificate.leaf)}.`;
        if (json) output.note(told);
        else line(paint.yellow(wrap(told, width, '  ')));
      },
    });
    isStopped = signal.aborted;
    return done;
  });
  output.progress('');
  const { agreed, diverged, broken, unopened } = found;
  const replayed = agreed + diverged + broken;
  if (json) output.json({ run, ...found });
  else if (replayed + unopened === 0) line('There is nothing to certify: every leaf that needs a replay has had one.');
  else
    line(`Replayed ${count(replayed, 'leaf', 'leaves')}: ${agreed} certified, ${diverged} diverged, ${broken} broken.`);
  if (unopened > 0)
    output.note(
      `${count(unopened, 'leaf', 'leaves')} of other environments were left out: name them, espalier certify ${run} <env...>.`,
    );
  if (isStopped) output.note(`stopped before the end; go on with: espalier certify ${run}`);
  return diverged + broken + unopened > 0 || isStopped ? 1 : 0;
}
