import { exportRun as exportFrom, type Exported, type ExportRunOptions } from '../runs/export.ts';
import { chooseEnvironments, hostOf, type EnvironmentChoice, type RunOptions } from './parts.ts';

export interface ExportOptions
  extends Omit<RunOptions, 'signal'>,
    Pick<ExportRunOptions, 'out' | 'formats' | 'tables' | 'signals' | 'tokens' | 'tokenizer' | 'round' | 'onProgress'> {
  /** Needed when the run got environments as objects and called their tools. */
  readonly environments?: readonly EnvironmentChoice[] | undefined;
}

/** Writes the training rows of a run as JSON lines and Parquet, with a manifest. */
export async function exportRun({ environments = [], host, ...options }: ExportOptions): Promise<Exported> {
  const { environments: objects } = chooseEnvironments(environments);
  return exportFrom({ ...options, host: hostOf(host), given: { environments: objects } });
}
