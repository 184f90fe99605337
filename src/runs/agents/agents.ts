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
import { createBestOfN } from '../../rollout/strategies/best-of-n.ts';
import { createLinear } from '../../rollout/strategies/linear.ts';
import { createSpeculativeRollback } from '../../rollout/strategies/speculative-rollback.ts';
import type { Strategy } from '../../rollout/strategy.ts';
import { importModule } from '../modules/load-module.ts';
import { createAsking, type Models } from '../models/open-models.ts';
import { settlePrompts } from '../models/prompt-files.ts';
import type { ModelConfig } from '../config/model-config.ts';
import type { LimitsConfig, RunConfig, StrategyConfig, StudentConfig } from '../config/config.ts';
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

export type Cast = Omit<EpisodeParts, 'environment'>;

export interface CastOptions {
  readonly clock: Clock;
  readonly own: OwnAgents;
  /** Needed when the teacher is a person. */
  readonly human?: HumanOptions | undefined;
}

/** Makes an agent for an episode; for none, it is only asked for its name. */
export type Making<T> = (head: EpisodeHead | null) => T;

/** Agents of the user's: modules, made anew for each episode where they export a function, and models. */
export interface OwnAgents {
  readonly policy?: Making<Policy>;
  readonly teacher?: Making<Teacher>;
}

/** The policy that a module of the user's exports. */
export function loadOwnPolicy(file: string): Promise<Making<Policy>> {
  return ownAgent<Policy>(file, 'policy', ['name', 'act']);
}

/** Loads what the config names by the path of a module, and connects to models. */
export async function loadOwnAgents(
  { student, teacher }: Pick<RunConfig, 'student' | 'teacher'>,
  setting: ModelSetting,
): Promise<OwnAgents> {
  const { hurry: signal } = setting;
  const own: { policy?: Making<Policy>; teacher?: Making<Teacher> } = {};
  if (student.kind === 'module') own.policy = await loadOwnPolicy(student.file);
  if (student.kind === 'model') own.policy = await modelPolicy(student, setting);
  if (teacher.kind === 'module')
    own.teacher = await ownAgent<Teacher>(teacher.file, 'teacher', ['name', 'review', 'correct']);
  if (teacher.kind === 'model') {
    const asking = createAsking({ opened: await setting.models.open(teacher, 'reviewer'), config: teacher, signal });
    own.teacher = head => createLlmTeacher(asking(head));
  }
  return own;
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

async function ownAgent<T>(file: string, member: string, powers: readonly string[]): Promise<Making<T>> {
  const { [member]: given } = await importModule(file);
  const create = (): T => {
    try {
      return typeof given === 'function' ? (given as () => T)() : (given as T);
    } catch (cause) {
      throw new EspalierError({
        boundary: 'input',
        code: 'invalid-module',
        message: `\`${member}\` of ${file} threw: ${causeText(cause)}.`,
        expected: `Expected a function that makes a ${member} for each episode.`,
        cause,
      });
    }
  };
  const agent = create() as Record<string, unknown> | null | undefined;
  if (typeof agent === 'object' && agent !== null && powers.every(power => power in agent)) return create;
  throw new EspalierError({
    boundary: 'input',
    code: 'invalid-module',
    message: `The module ${file} exports no \`${member}\` with ${powers.join(', ')}.`,
    expected: `Expected a ${member} of that shape, or a function that makes one for each episode.`,
  });
}

/** Who plays in the episodes of a run; called once for each episode. */
export function createCasting(config: RunConfig, options: CastOptions): Making<Cast> {
  const createPolicy = options.own.policy ?? studentFactory(config.student, options.clock);
  const strategy = strategyOf(config.strategy);
  const limits = limitsOf(config);
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
  { clock, human, own }: CastOptions,
  head: EpisodeHead | null,
): Teacher | null {
  if (teacher.kind === 'none') return null;
  if (own.teacher !== undefined) return own.teacher(head);
  if (teacher.kind === 'planner')
    return createPlannerTeacher({ planner: createTeachingPlanner(clock), errorRate: teacher.errors });
  if (human !== undefined) return createHumanTeacher(human);
  throw new EspalierError({
    boundary: 'input',
    code: 'invalid-option',
    message: 'The teacher is a person, and nobody can be asked.',
    expected: 'Run it in a terminal with espalier collect --teacher human, or choose --teacher planner.',
  });
}

function strategyOf(strategy: StrategyConfig): Strategy {
  if (strategy.kind === 'linear') return createLinear();
  // What passed comes first: right for collecting, where the verifier may be asked.
  if (strategy.kind === 'best-of-n') return createBestOfN({ attempts: strategy.attempts, choose: 'verifier' });
  const { speculate, branching } = strategy;
  return createSpeculativeRollback({ speculate: speculate === 'inf' ? Infinity : speculate, branching });
}

function limitsOf({ limits, strategy }: RunConfig): Partial<Limits> {
  return { ...budgetOf(limits), ...(strategy.kind === 'best-of-n' ? { leaves: strategy.attempts } : {}) };
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
