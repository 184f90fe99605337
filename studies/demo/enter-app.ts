import { join } from 'node:path';
import type { Evaluation } from '../../src/analysis/evaluate.ts';
import type { Evaluated } from '../../src/runs/evaluate.ts';
import { evaluateStudents } from '../../src/runs/evaluate-students.ts';
import type { Host } from '../../src/runs/host/host.ts';
import { runLoop, type LoopRound } from '../../src/runs/loop.ts';
import { strategyOf } from '../../src/runs/loop-choices.ts';
import type { ProgressCounter } from '../../src/runs/plan/progress-counter.ts';
import { spendingSchema } from '../../src/runs/settings/model-config.ts';
import { smallNamed } from '../../src/runs/agents/students/small.ts';

/** How much a demo does. */
export interface DemoSize {
  readonly rounds: number;
  /** Tasks of each kind: in each round of correction, and to evaluate on. */
  readonly instances: number;
  readonly evaluated: number;
}

export interface AppSetting {
  readonly apps: readonly string[];
  /** `small` or `small:<folder>`. */
  readonly student: string;
  readonly folder: string;
  readonly size: DemoSize;
  readonly seed: number;
  readonly host: Host;
  readonly signal: AbortSignal;
  onProgress(what: string, meter: ProgressCounter): void;
  onReading(rows: number): void;
}

/** What the model does in the apps: as it is, and corrected there. */
export interface Entered {
  readonly before: Evaluated;
  readonly corrected: Evaluation;
  /** Answers of the teacher. */
  readonly answers: number;
}

/** Where the runs of a demo lie in its folder. */
export function runFolders(folder: string) {
  return { unseen: join(folder, 'unseen'), corrected: join(folder, 'corrected') };
}

/** Null when it was stopped. */
export async function enterApp(setting: AppSetting): Promise<Entered | null> {
  const before = await evaluateBefore(setting);
  if (before.stopped) return null;
  const rounds = await Array.fromAsync(correct(setting));
  const last = rounds.at(-1);
  if (rounds.length < setting.size.rounds || last === undefined) return null;
  const apps = rounds.flatMap(({ collected }) => collected.environments);
  const answers = apps.reduce((sum, { reviews, corrections }) => sum + reviews + corrections, 0);
  return { before, corrected: last.evaluation, answers };
}

/** As `espalier eval <apps> --student small`: on the tasks that follow the correction, too. */
function evaluateBefore({
  apps,
  student,
  folder,
  size,
  seed,
  host,
  signal,
  onProgress,
}: AppSetting): Promise<Evaluated> {
  return evaluateStudents({
    environments: apps,
    folder: runFolders(folder).unseen,
    student,
    round: 0,
    instances: size.evaluated,
    trials: 1,
    levels: ['new-instances', 'held-out'],
    baselines: true,
    seed,
    concurrency: 8,
    asking: {},
    spending: spendingSchema.parse({}),
    browser: null,
    host,
    signal,
    onProgress: meter => onProgress('small and baselines', meter),
  });
}

/** As `espalier loop <apps> --student small --speculate adaptive --set teacher.strict=true`. */
function correct(setting: AppSetting): AsyncGenerator<LoopRound> {
  const { apps, student, folder, size, seed, host, signal, onProgress, onReading } = setting;
  return runLoop({
    folder: runFolders(folder).corrected,
    draft: {
      run: 'corrected',
      environments: apps,
      seed,
      ...strategyOf({ speculate: 'adaptive', teacherStrict: true }),
    },
    rounds: size.rounds,
    instances: [size.instances],
    imitate: false,
    student: smallNamed(student) ?? undefined,
    evaluationInstances: size.evaluated,
    baselines: false,
    host,
    signal,
    onProgress,
    onAdapting: onReading,
  });
}
