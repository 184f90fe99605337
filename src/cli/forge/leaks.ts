import { count } from '../../core/text.ts';
import { writeWhole } from '../../runs/folder/folder.ts';
import { findLeaks } from '../../runs/forging/leaks.ts';
import { wrap, type ExitCode, type Output } from '../terminal/output.ts';

export interface LeaksRequest {
  readonly run: string;
  readonly out?: string;
  readonly json?: boolean;
}

export async function leaks(output: Output, { run, out, json = false }: LeaksRequest): Promise<ExitCode> {
  const { line, paint, width } = output;
  output.progress('solving held-out templates …');
  const found = await findLeaks({
    folder: run,
    onTask: compared => output.progress(`comparing forged tasks with held-out templates (${compared}) …`),
  });
  output.progress('');
  if (out !== undefined) writeWhole(out, found.others.map(task => `${task}\n`).join(''));
  if (json) {
    for (const leak of found.leaks) output.json({ kind: 'leak', ...leak });
    output.json({ kind: 'leaks', run, compared: found.compared, leaks: found.leaks.length });
  } else if (!found.isForged) line('Nothing to compare: this run has no forged tasks.');
  else if (found.compared === 0) line('Nothing to compare: no forged task passed in this run.');
  else {
    for (const { task, reason } of found.leaks) line(wrap(`${paint.yellow('leak')}  ${task}: ${reason}`, width, '  '));
    const verdict = found.leaks.length === 0 ? paint.green('no leak') : paint.yellow(count(found.leaks.length, 'leak'));
    line(`${paint.bold(verdict)}  ${count(found.compared, 'forged task')} compared with held-out templates`);
  }
  // With a file the leaks are dealt with: they are not in it.
  return found.leaks.length === 0 || out !== undefined ? 0 : 1;
}
