import { percentText } from '../../analysis/estimate.ts';
import { count } from '../../core/text.ts';
import { type ExitCode, type Output } from '../terminal/output.ts';
import { createSystemHost } from '../../system/workers/host.ts';
import { studentFileFor, trainFromExport } from '../../runs/train.ts';
import { durationText } from '../terminal/progress.ts';

export interface TrainRequest {
  readonly folders: readonly string[];
  readonly out?: string;
  readonly seed: number;
  readonly tasks?: readonly string[];
  readonly json?: boolean;
}

export async function train(
  output: Output,
  { folders, seed, tasks, json, ...request }: TrainRequest,
): Promise<ExitCode> {
  const out = request.out ?? studentFileFor(folders);
  output.progress('training …');
  const trained = trainFromExport({ folders, seed, tasks, out, host: createSystemHost() });
  output.progress('');
  const { rows, unread, unmatched, fit, seconds } = trained;
  if (json === true) output.json({ out, rows, unread, unmatched, fit, seconds });
  else {
    const { paint, line } = output;
    line(`Learned from ${count(rows - unread - unmatched, 'row')} in ${durationText(seconds)}.`);
    line(`Gets ${percentText(fit)} of them right.`);
    if (unmatched > 0) line(`Left out ${count(unmatched, 'row')} whose action is not on the screen.`);
    if (unread > 0) line(paint.yellow(`Left out ${count(unread, 'row')} whose prompt cannot be read.`));
    line(`Written to ${paint.bold(out)}`);
    line(paint.dim(`Next: espalier eval --student ${out} --out <run>`));
  }
  return 0;
}
