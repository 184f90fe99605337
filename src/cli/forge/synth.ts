import { specOf } from '../../runs/environments/synth-app.ts';
import type { ExitCode, Output } from '../output.ts';

/** Prints a spec: the one of a seed, or one of the user's own with everything that it leaves out. */
export async function printSpec(output: Output, seed: string): Promise<ExitCode> {
  output.line(JSON.stringify(await specOf(seed), null, 2));
  return 0;
}
