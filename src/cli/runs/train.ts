import { percentText } from '../../analysis/estimate.ts';
import { invalidOption } from '../../core/errors.ts';
import { count } from '../../core/text.ts';
import { type ExitCode, type Output } from '../terminal/output.ts';
import { createSystemHost } from '../../system/workers/host.ts';
import { smallNamed } from '../../runs/agents/students/small.ts';
import { writeWhole } from '../../runs/folder/folder.ts';
import { adaptFromExport, studentFileFor, trainFromExport, type Adapted, type AdaptOptions } from '../../runs/train.ts';
import { durationText } from '../terminal/progress.ts';

export interface TrainRequest {
  readonly folders: readonly string[];
  readonly out?: string;
  readonly seed: number;
  readonly tasks?: readonly string[];
  /** `small` adapts that model; left out, a student learns from nothing. */
  readonly student?: string;
  readonly json?: boolean;
}

export async function train(
  output: Output,
  { folders, seed, tasks, json, student, ...request }: TrainRequest,
): Promise<ExitCode> {
  const out = request.out ?? studentFileFor(folders);
  output.progress('training …');
  const options = { folders, seed, tasks, host: createSystemHost() };
  const small = student === undefined ? null : requireSmall(student);
  const trained =
    small === null
      ? trainFromExport({ ...options, out })
      : await adapt(output, { ...options, model: small.folder }, out);
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
    line(paint.dim(`Next: espalier eval --student ${small === null ? '' : 'small:'}${out} --out <run>`));
  }
  return 0;
}

async function adapt(output: Output, options: AdaptOptions, out: string): Promise<Omit<Adapted, 'file'>> {
  const onProgress = (rows: number): void => output.progress(`adapting small: ${count(rows, 'row')} read`);
  const { file, ...adapted } = await adaptFromExport({ ...options, onProgress });
  writeWhole(out, file);
  return adapted;
}

function requireSmall(student: string): { readonly folder: string | null } {
  const small = smallNamed(student);
  if (small !== null) return small;
  throw invalidOption(
    `"${student}" cannot be trained here.`,
    'Expected --student small or small:<folder>; leave it out for a student of its own.',
  );
}
