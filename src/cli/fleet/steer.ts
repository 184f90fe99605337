import { invalidOption } from '../../core/errors.ts';
import { steerRun } from '../../fleet/database/runs.ts';
import type { ExitCode, Output } from '../terminal/output.ts';

export interface SteerRequest {
  readonly what: 'pause' | 'resume' | 'cancel';
  readonly address: string;
  readonly run: string | undefined;
  readonly json?: boolean;
}

const news = {
  pause: 'is paused: episodes that have begun end, no others begin',
  resume: 'goes on',
  cancel: 'is cancelled: episodes that have begun end; --resume goes on with it',
};

/** Pauses, resumes or cancels a run of a fleet. */
export async function steer(output: Output, { what, address, run, json = false }: SteerRequest): Promise<ExitCode> {
  if (run === undefined)
    throw invalidOption('No run was named.', 'Expected its name or number, as espalier fleet status shows it.');
  const found = await steerRun(address, run, what);
  if (json) output.json(found);
  else output.line(`The run ${found.name} ${news[what]}.`);
  return 0;
}
