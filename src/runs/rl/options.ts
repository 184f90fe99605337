import type { EstimatorOptions } from '../../dataset/credit/contract.ts';
import type { ConfigDraft } from '../config/config.ts';
import type { Host } from '../host/host.ts';
import type { ProgressCounter } from '../plan/progress-counter.ts';
import type { Learning } from './update.ts';

/** The config of each round, without what the rounds themselves set. */
type RlDraft = Pick<
  ConfigDraft,
  'run' | 'environments' | 'templates' | 'tasks' | 'limits' | 'concurrency' | 'contracts'
> & {
  readonly seed: number;
};

export interface RlOptions {
  readonly folder: string;
  readonly draft: RlDraft;
  /** The student to begin with: a file of `espalier train`, or `untrained`. */
  readonly student: string;
  /** Name of an estimator, or the path of a module that exports one. */
  readonly estimator: string;
  readonly estimatorOptions?: EstimatorOptions;
  readonly rounds: number;
  /** No round begins after so many environment steps. */
  readonly steps?: number | undefined;
  /** Attempts at each task of a round. */
  readonly group: number;
  /** Whether attempts begin at the start, or most of them fork from the paths of others. */
  readonly groups: 'start' | 'fork';
  /** Tasks of each template in each round. */
  readonly instances: number;
  readonly learning: Learning;
  /** Evaluates before the first round, after every so many, and after the last; 0 never. */
  readonly evaluateEvery: number;
  readonly evaluationInstances: number;
  readonly baselines: boolean;
  /** Seed of the tasks to evaluate on; that of the run when left out. */
  readonly evaluationSeed?: number;
  /** Which of several students that were trained alike but for their seed; 1 when left out. */
  readonly trainingSeed?: number;
  /** Environments to evaluate on as well. */
  readonly unseen?: readonly string[];
  readonly host: Host;
  readonly signal: AbortSignal;
  onProgress?(what: string, meter: ProgressCounter): void;
}
