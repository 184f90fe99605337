import { invalidOption, type EspalierError } from '../../core/errors.ts';
import { mineFromRun } from '../../runs/mine-synth.ts';
import { specOf } from '../../envs/synth/family.ts';
import { writeWhole } from '../../runs/folder/folder.ts';
import type { ExitCode, Output } from '../terminal/output.ts';

export interface SpecRequest {
  readonly seed?: string | undefined;
  /** The folder of a run, to mine the spec from. */
  readonly from?: string | undefined;
  readonly out?: string | undefined;
}

/** Prints a spec: of a seed, one of the user's own with everything that it leaves out, or one mined from a run. */
export async function printSpec(output: Output, { seed, from, out }: SpecRequest): Promise<ExitCode> {
  if ((seed === undefined) === (from === undefined)) throw notOne();
  const spec = from === undefined ? await specOf(seed ?? '') : await mineFromRun(from);
  const text = JSON.stringify(spec, null, 2);
  if (out === undefined) output.line(text);
  else {
    writeWhole(out, `${text}\n`);
    output.line(`${output.paint.green(output.paint.bold('written'))}  ${out}`);
    output.line(output.paint.dim(`Next: espalier tasks synth:${out}`));
  }
  return 0;
}

function notOne(): EspalierError {
  return invalidOption(
    'There must be a seed, or a run to mine from, and not both.',
    'Expected espalier synth 17, or espalier synth --from <run>.',
  );
}
