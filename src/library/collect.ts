import type { HumanOptions } from '../agents/human.ts';
import { collectRun, type Collected } from '../runs/collect.ts';
import { readConfig, type ConfigDraft } from '../runs/config/config.ts';
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
  type StudentChoice,
  type TeacherChoice,
} from './parts.ts';

type Draft = Omit<ConfigDraft, 'version' | 'run' | 'environments' | 'student' | 'teacher' | 'strategy'>;

/** The flags of `espalier collect`. Anything left out has its default. */
export interface CollectOptions extends RunOptions, Draft {
  /** All built-in ones when left out. */
  readonly environments?: readonly EnvironmentChoice[] | undefined;
  /** `untrained` when left out. */
  readonly student?: StudentChoice | undefined;
  /** The planner where the strategy asks a teacher, else none. */
  readonly teacher?: TeacherChoice | undefined;
  /** `speculative-rollback` when left out. */
  readonly strategy?: StrategyChoice | undefined;
  /** How a person is asked, when the teacher is one. */
  readonly human?: HumanOptions | undefined;
  onProgress?(meter: ProgressCounter): void;
}

/** Collects episodes into the folder of a run. Called again with the same options, it goes on where it was stopped. */
export async function collect(options: CollectOptions): Promise<Collected> {
  const { folder, signal, host, human, onProgress, environments, student, teacher, strategy, ...draft } = options;
  const worlds = chooseEnvironments(environments);
  const agents = {
    student: chooseStudent(student),
    teacher: chooseTeacher(teacher),
    strategy: chooseStrategy(strategy),
  };
  const config = readConfig(
    {
      ...draft,
      run: runNameFor(folder),
      environments: worlds.names,
      ...Object.fromEntries(Object.entries(agents).flatMap(([name, { config: own }]) => (own ? [[name, own]] : []))),
    },
    'collect',
  );
  return collectRun({
    config,
    folder,
    host: hostOf(host),
    signal,
    human,
    given: {
      environments: worlds.environments,
      ...agents.student.given,
      ...agents.teacher.given,
      ...agents.strategy.given,
    },
    onProgress: meter => onProgress?.(meter),
  });
}
