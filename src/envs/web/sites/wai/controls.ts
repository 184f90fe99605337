import { EspalierError, type ErrorCode } from '../../../../core/errors.ts';
import type { WaiFolder, WaiTask } from './folder.ts';
import type { VerifierPool } from '../../../python/pool.ts';
import type { VerifierAnswer } from '../../../python/worker.ts';

/** What the controls need of an app: the state that its page starts with, and a judgement of any state. */
export interface ControlledApp {
  readonly tasks: readonly WaiTask[];
  seedState(): Promise<string>;
  verify(task: WaiTask, state: string): Promise<VerifierAnswer>;
}

export interface ControlsReport {
  /** How many tasks were looked at. */
  readonly tasks: number;
  /** Tasks that pass although nothing was done. */
  readonly passing: readonly { readonly template: string; readonly message: string }[];
  /** Tasks whose verifier gives no usable answer. */
  readonly broken: readonly { readonly template: string; readonly code: ErrorCode; readonly reason: string }[];
  /** Tasks whose verifier said two things of one state. */
  readonly unsteady: readonly { readonly template: string; readonly said: readonly string[] }[];
}

type Finding = { readonly template: string } & (
  | { readonly kind: 'sound' }
  | { readonly kind: 'passing'; readonly message: string }
  | { readonly kind: 'broken'; readonly code: ErrorCode; readonly reason: string }
  | { readonly kind: 'unsteady'; readonly said: readonly string[] }
);

/** Negative controls: every verifier is asked twice of the untouched seed, and must say no both times. */
export async function runControls(app: ControlledApp, atOnce: number): Promise<ControlsReport> {
  const seed = await app.seedState();
  const findings: Finding[] = [];
  const queue = app.tasks.entries();
  const work = async (): Promise<void> => {
    for (const [place, task] of queue) findings[place] = await control(app, task, seed);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  const of = <K extends Finding['kind']>(kind: K): Extract<Finding, { kind: K }>[] =>
    findings.filter((finding): finding is Extract<Finding, { kind: K }> => finding.kind === kind);
  return {
    tasks: findings.length,
    passing: of('passing').map(({ template, message }) => ({ template, message })),
    broken: of('broken').map(({ template, code, reason }) => ({ template, code, reason })),
    unsteady: of('unsteady').map(({ template, said }) => ({ template, said })),
  };
}

async function control(app: ControlledApp, task: WaiTask, seed: string): Promise<Finding> {
  const { template } = task;
  try {
    const first = await app.verify(task, seed);
    const second = await app.verify(task, seed);
    const said = [first, second].map(({ passed, message }) => `${passed ? 'passed' : 'failed'}: ${message}`);
    if (said[0] !== said[1]) return { template, kind: 'unsteady', said };
    return first.passed ? { template, kind: 'passing', message: first.message } : { template, kind: 'sound' };
  } catch (cause) {
    // What breaks beside the verifier says nothing of it.
    if (!(cause instanceof EspalierError) || !verifierFaults.has(cause.code)) throw cause;
    return { template, kind: 'broken', code: cause.code, reason: cause.message };
  }
}

const verifierFaults: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['threw', 'out-of-range', 'deadline']);

export interface StateVerifierOptions {
  readonly folder: Pick<WaiFolder, 'path'>;
  readonly pool: VerifierPool;
}

/** Judges states without a browser. */
export function createStateVerifier({ folder, pool }: StateVerifierOptions): ControlledApp['verify'] {
  return (task, state) => pool.verify({ file: task.verifier, folder: folder.path, state });
}
