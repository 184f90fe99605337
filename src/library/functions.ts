import type { DrivenEpisode } from '../episode/driven/contract.ts';
import type { Collected } from '../runs/collect.ts';
import type { Replayed } from '../runs/certify/certify.ts';
import type { EvaluatedStudents } from '../runs/evaluate-students.ts';
import type { Exported } from '../runs/export.ts';
import type { JudgedRun } from '../runs/judge.ts';
import type { LoopRound } from '../runs/loop.ts';
import type { WrittenReport } from '../runs/write-report.ts';
import type { CertifyOptions } from './certify.ts';
import type { CollectOptions } from './collect.ts';
import type { EvaluateOptions } from './evaluate.ts';
import type { ExportOptions } from './export.ts';
import type { JudgeRunSettings } from './judge.ts';
import type { LoopOptions } from './loop.ts';
import type { OpenEpisodeOptions } from './open-episode.ts';
import type { ReportOptions } from './report.ts';
import type { TrainedStudent, TrainOptions } from './train.ts';

// Each function loads its code when it is called, so that an app which imports espalier does not load the engine.

/** Collects episodes into the folder of a run. Called again with the same options, it goes on where it was stopped. */
export async function collect(options: CollectOptions): Promise<Collected> {
  return (await import('./collect.ts')).collect(options);
}

/** Evaluates a student on tasks that are never collected on, beside baselines. */
export async function evaluate(options: EvaluateOptions): Promise<EvaluatedStudents> {
  return (await import('./evaluate.ts')).evaluate(options);
}

/** Writes the training rows of a run as JSON lines and Parquet, with a manifest. */
export async function exportRun(options: ExportOptions): Promise<Exported> {
  return (await import('./export.ts')).exportRun(options);
}

/** Trains a student from exported rows. */
export async function train(options: TrainOptions): Promise<TrainedStudent> {
  return (await import('./train.ts')).train(options);
}

/** Collects, exports, trains and evaluates, round after round. The same call goes on with a loop that was stopped. */
export async function* loop(options: LoopOptions): AsyncGenerator<LoopRound> {
  yield* (await import('./loop.ts')).loop(options);
}

/** Writes a run as one HTML page, and its figures as JSON beside it. */
export async function report(options: ReportOptions): Promise<WrittenReport> {
  return (await import('./report.ts')).report(options);
}

/** Lets a model judge the finished episodes of a run, and compares it with the verifier. */
export async function judge(options: JudgeRunSettings): Promise<JudgedRun> {
  return (await import('./judge.ts')).judge(options);
}

/** Replays episodes of a run that passed and are not certified yet, each in a fresh session. */
export async function certifyRun(options: CertifyOptions): Promise<Replayed> {
  return (await import('./certify.ts')).certifyRun(options);
}

/** Opens a task that the caller drives step by step. Every step is recorded; deadlines and budgets hold. */
export async function openEpisode(options: OpenEpisodeOptions): Promise<DrivenEpisode> {
  return (await import('./open-episode.ts')).openEpisode(options);
}
