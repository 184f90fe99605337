import type { ConfigDraft } from '../runs/config/config.ts';
import type { SpendingConfig } from '../runs/settings/model-config.ts';
import { runLoop, type LoopRound } from '../runs/loop.ts';
import type { ProgressCounter } from '../runs/plan/progress-counter.ts';
import {
  chooseEnvironments,
  chooseStrategy,
  chooseStudent,
  chooseTeacher,
  hostOf,
  runNameFor,
  type EnvironmentChoice,
  type RunOptions,
  type StrategyChoice,
  type TeacherChoice,
} from './parts.ts';

/** The flags of `espalier loop`. Anything left out has its default. */
export interface LoopOptions extends RunOptions {
  readonly environments?: readonly EnvironmentChoice[] | undefined;
  readonly templates?: readonly string[] | undefined;
  readonly rounds?: number | undefined;
  /** Of each template in each round; the last number stands for the rounds that follow. */
  readonly instances?: readonly number[] | undefined;
  readonly evaluationInstances?: number | undefined;
  /** Who acts when a round collects: a name, such as that of a model. Left out, the student that is being trained. */
  readonly student?: string | ConfigDraft['student'] | undefined;
  /** The budget for models. */
  readonly spending?: Partial<SpendingConfig> | undefined;
  readonly strategy?: StrategyChoice | undefined;
  readonly teacher?: TeacherChoice | undefined;
  /** Collect demonstrations of the planner instead of corrected work of the student. */
  readonly imitate?: boolean | undefined;
  readonly baselines?: boolean | undefined;
  readonly seed?: number | undefined;
  onProgress?(what: string, meter: ProgressCounter): void;
}

/** Collects, exports, trains and evaluates, round after round. The same call goes on with a loop that was stopped. */
export async function* loop(options: LoopOptions): AsyncGenerator<LoopRound> {
  const { folder, imitate = false, student, spending, templates, seed = 1, onProgress } = options;
  const worlds = chooseEnvironments(options.environments);
  const strategy = chooseStrategy(options.strategy ?? (imitate ? 'linear' : undefined));
  const teacher = chooseTeacher(options.teacher);
  yield* runLoop({
    folder,
    draft: {
      run: runNameFor(folder),
      environments: worlds.names,
      seed,
      ...(templates === undefined ? {} : { templates }),
      ...(spending === undefined ? {} : { spending }),
      ...(strategy.config === undefined ? {} : { strategy: strategy.config as { kind: string } }),
      ...(teacher.config === undefined ? {} : { teacher: teacher.config as { kind: 'none' } }),
    },
    rounds: options.rounds ?? 5,
    instances: options.instances ?? [3],
    imitate,
    student: chooseStudent(student).config as ConfigDraft['student'],
    evaluationInstances: options.evaluationInstances ?? 4,
    baselines: options.baselines ?? true,
    host: hostOf(options.host),
    given: { environments: worlds.environments, ...strategy.given, ...teacher.given },
    signal: options.signal ?? new AbortController().signal,
    onProgress: (what, meter) => onProgress?.(what, meter),
  });
}
