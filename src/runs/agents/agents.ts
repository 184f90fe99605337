import { hash } from 'node:crypto';
import type { Clock } from '../../core/clock.ts';
import type { Planner } from '../../core/contracts.ts';
import type { Policy, Teacher } from '../../core/episode/agents.ts';
import type { EpisodeHead } from '../../core/episode/events.ts';
import { causeText, EspalierError } from '../../core/errors.ts';
import { createLlmPolicy } from '../../policies/llm/llm-policy.ts';
import { createLlmTeacher } from '../../policies/llm/llm-teacher.ts';
import { createHumanTeacher, type HumanOptions } from '../../policies/human.ts';
import { blankKnowledge, createStudent, readStudent, type Knowledge } from '../../policies/learned/student.ts';
import { createPlanner } from '../../policies/planner.ts';
import { createPlannerPolicy, createPlannerTeacher } from '../../policies/planner-teacher.ts';
import { createRandomPolicy } from '../../policies/random.ts';
import type { EpisodeParts } from '../../rollout/attempt.ts';
import type { Limits } from '../../rollout/budget.ts';
import type { Strategy } from '../../rollout/strategy.ts';
import type { ModuleShape } from '../../core/naming/registry.ts';
import { notGiven, type GivenParts, type Making } from '../given.ts';
import { loadPlugin } from '../registry/load-plugin.ts';
import { strategies } from '../registry/strategies.ts';
import { createAsking, type Models } from '../models/open-models.ts';
import { settlePrompts } from '../models/prompt-files.ts';
import type { ModelConfig } from '../config/model-config.ts';
import type { LimitsConfig, ModuleStrategyConfig, RunConfig, StrategyConfig, StudentConfig } from '../config/config.ts';
import { readText } from '../folder/read-file.ts';

export interface StudentFile {
  readonly knowledge: Knowledge;
  readonly sha256: string;
}

export function readStudentFile(path: string): StudentFile {
  let text: string;
  try {
    text = readText(path);
  } catch (cause) {
    throw new EspalierError({
      boundary: 'input',
      code: 'unavailable',
      message: `The student ${path} cannot be read: ${causeText(cause)}.`,
      expected: 'Expected a file that espalier train wrote, or one of: untrained, random, planner.',
      cause,
    });
  }
  try {
    return { knowledge: readStudent(text), sha256: hash('sha256', text) };
  } catch (cause) {
    if (!(cause instanceof EspalierError)) throw cause;
    const { boundary, code, message, expected } = cause;
    const said = message.replace(` ${expected}`, '');
    throw new EspalierError({ boundary, code, message: `${path} cannot be used: ${said}`, expected, cause });
  }
}

/** The config with the hashes of what it starts with; a student or prompts that were changed since are refused. */
export function settleAgents(config: RunConfig): RunConfig {
  const { student, teacher } = settleStudent(config);
  return {
    ...config,
    student: student.kind === 'model' ? settlePrompts(student) : student,
    teacher: teacher.kind === 'model' ? settlePrompts(teacher) : teacher,
  };
}

function settleStudent(config: RunConfig): RunConfig {
  const { student } = config;
  if (student.kind !== 'learned') return config;
  const { sha256 } = readStudentFile(student.file);
  if (student.sha256 !== null && student.sha256 !== sha256) {
    throw new EspalierError({
      boundary: 'input',
      code: 'invalid-option',
      message: `The student ${student.file} is not the one that the run began with: its hash is ${sha256}.`,
      expected: `Expected the hash ${student.sha256}: put that student back, or start another run or round with --student.`,
    });
  }
  return { ...config, student: { ...student, sha256 } };
}

/**
 * Enough for teaching, and far cheaper than searching to the end. Bounded by states, never by time, and each episode has
 * its own: what a teacher says depends on nothing else.
 */
export function createTeachingPlanner(clock: Clock): Planner {
  return createPlanner({ clock, maxNodes: 600, maxMilliseconds: Infinity, patience: 2 });
}

export type EpisodeAgents = Omit<EpisodeParts, 'environment'>;

export interface EpisodeAgentsOptions {
  readonly clock: Clock;
  readonly own: OwnAgents;
  /** Needed when the teacher is a person. */
  readonly human?: HumanOptions | undefined;
}

/** Agents and strategies of the user's: modules, made anew for each episode where they export a function; models; objects. */
export type OwnAgents = Omit<GivenParts, 'environments'>;

/** The policy that a module of the user's exports. */
export async function loadOwnPolicy(file: string): Promise<Making<Policy>> {
  const { create } = await loadPlugin<Policy>(file, { member: 'policy', powers: ['name', 'act'] });
  return () => create();
}

/** Loads what the config names by the path of a module, connects to models, and takes the objects that it speaks of. */
export async function loadOwnAgents(
  { student, teacher, strategy }: Pick<RunConfig, 'student' | 'teacher' | 'strategy'>,
  setting: ModelSetting,
  given: GivenParts = {},
): Promise<OwnAgents> {
  const policy = await ownPolicy(student, setting, given);
  const reviewer = await ownTeacher(teacher, setting, given);
  const own = await ownStrategy(strategy, given);
  return {
    ...(policy === null ? {} : { policy }),
    ...(reviewer === null ? {} : { teacher: reviewer }),
    ...(own === null ? {} : { strategy: own }),
  };
}

async function ownPolicy(
  student: StudentConfig,
  setting: ModelSetting,
  given: GivenParts,
): Promise<Making<Policy> | null> {
  if (student.kind === 'module') return loadOwnPolicy(student.file);
  if (student.kind === 'model') return modelPolicy(student, setting);
  if (student.kind !== 'object') return null;
  if (given.policy === undefined) throw notGiven(`The student "${student.name}"`);
  return given.policy;
}

async function ownTeacher(
  teacher: RunConfig['teacher'],
  setting: ModelSetting,
  given: GivenParts,
): Promise<Making<Teacher> | null> {
  if (teacher.kind === 'module') {
    const { create } = await loadPlugin<Teacher>(teacher.file, {
      member: 'teacher',
      powers: ['name', 'review', 'correct'],
    });
    return () => create();
  }
  if (teacher.kind === 'model') {
    const opened = await setting.models.open(teacher, 'reviewer');
    const asking = createAsking({ opened, config: teacher, signal: setting.hurry });
    return head => createLlmTeacher(asking(head));
  }
  if (teacher.kind !== 'object') return null;
  if (given.teacher === undefined) throw notGiven(`The teacher "${teacher.name}"`);
  return given.teacher;
}

async function ownStrategy(strategy: StrategyConfig, given: GivenParts): Promise<Strategy | null> {
  if (isModuleStrategy(strategy)) {
    const { file, options } = strategy;
    const { create } = await loadPlugin<Strategy>(file, strategies.module as ModuleShape, options);
    return create(options);
  }
  if (strategy.kind !== 'object') return null;
  if (given.strategy === undefined) throw notGiven(`The strategy "${String(strategy['name'])}"`);
  return given.strategy;
}

function isModuleStrategy(strategy: StrategyConfig): strategy is ModuleStrategyConfig {
  return strategy.kind === 'module';
}

export interface ModelSetting {
  readonly models: Models;
  /** Ends what is being asked. */
  readonly hurry: AbortSignal;
}

/** A model as a student. */
export async function modelPolicy(
  config: ModelConfig,
  { models, hurry: signal }: ModelSetting,
): Promise<Making<Policy>> {
  if (config.model === 'espalier:planner') {
    throw new EspalierError({
      boundary: 'input',
      code: 'invalid-option',
      message: 'The planner sees privileged state, and would pass for a student.',
      expected:
        'Use it as --teacher, or in this process with --student planner, where its steps are not taken for a student’s.',
    });
  }
  const asking = createAsking({ opened: await models.open(config, 'policy'), config, signal });
  return head => createLlmPolicy(asking(head));
}

/** Who plays in the episodes of a run; called once for each episode. */
export function createEpisodeAgents(config: RunConfig, options: EpisodeAgentsOptions): Making<EpisodeAgents> {
  const createPolicy = options.own.policy ?? studentFactory(config.student, options.clock);
  const strategy = options.own.strategy ?? strategyOf(config.strategy);
  if (strategy.asksTeacher && config.teacher.kind === 'none') throw asksTeacher(strategy.name);
  const limits = { ...budgetOf(config.limits), ...strategy.limits };
  return head => ({ student: createPolicy(head), teacher: teacherOf(config, options, head), strategy, limits });
}

/** Whether somebody in the run looks at privileged state. */
export function isPrivileged({ student, teacher }: RunConfig, own: OwnAgents): boolean {
  const isOwn = own.policy?.(null).privileged === true || own.teacher?.(null).privileged === true;
  return isOwn || student.kind === 'planner' || teacher.kind === 'planner';
}

function studentFactory(student: StudentConfig, clock: Clock): () => Policy {
  if (student.kind === 'planner') return () => createPlannerPolicy(createTeachingPlanner(clock));
  const isRanker = student.kind === 'untrained' || student.kind === 'learned';
  const policy = isRanker ? createRanker(student) : createRandomPolicy();
  return () => policy;
}

function createRanker(student: Extract<StudentConfig, { kind: 'untrained' | 'learned' }>): Policy {
  const { temperature } = student;
  if (student.kind === 'untrained')
    return createStudent({ knowledge: blankKnowledge(), name: 'untrained', temperature });
  return createStudent({ knowledge: readStudentFile(student.file).knowledge, name: 'learned', temperature });
}

function teacherOf(
  { teacher }: RunConfig,
  { clock, human, own }: EpisodeAgentsOptions,
  head: EpisodeHead | null,
): Teacher | null {
  if (teacher.kind === 'none') return null;
  if (own.teacher !== undefined) return own.teacher(head);
  if (teacher.kind === 'planner')
    return createPlannerTeacher({
      planner: createTeachingPlanner(clock),
      errorRate: teacher.errors,
      strict: teacher.strict,
    });
  if (human !== undefined) return createHumanTeacher(human);
  throw new EspalierError({
    boundary: 'input',
    code: 'invalid-option',
    message: 'The teacher is a person, and nobody can be asked.',
    expected: 'Run it in a terminal with espalier collect --teacher human, or choose --teacher planner.',
  });
}

function strategyOf({ kind, ...options }: StrategyConfig): Strategy {
  return strategies.need(kind).create(options);
}

function asksTeacher(strategy: string): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'invalid-option',
    message: `The strategy "${strategy}" asks a teacher, and there is none.`,
    expected: 'Name one, such as --teacher planner, or choose a strategy that asks none.',
  });
}

function budgetOf({ steps, interventions, reviews, forks, seconds, cost }: LimitsConfig): Partial<Limits> {
  return {
    steps,
    interventions,
    reviews: reviews ?? Infinity,
    forks,
    // Every fork ends in a leaf, beside the main one.
    leaves: forks + 1,
    milliseconds: seconds === null ? Infinity : Math.ceil(seconds * 1000),
    cost: cost ?? Infinity,
  };
}
