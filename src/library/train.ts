import { studentFileFor, trainFromExport, type Trained } from '../runs/train.ts';
import { hostOf, type RunOptions } from './parts.ts';

export interface TrainOptions extends Pick<RunOptions, 'host'> {
  /** Folders of exported rows, or of runs that were exported. */
  readonly folders: readonly string[];
  /** The file to write: `student.json` beside the rows when left out. */
  readonly out?: string | undefined;
  readonly seed?: number | undefined;
}

/** A student that was trained, and the file that it was written to. */
export interface TrainedStudent extends Trained {
  readonly file: string;
}

/** Trains a student from exported rows. */
export async function train({ folders, out, seed = 1, host }: TrainOptions): Promise<TrainedStudent> {
  const file = out ?? studentFileFor(folders);
  return { ...trainFromExport({ folders, seed, out: file, host: hostOf(host) }), file };
}
