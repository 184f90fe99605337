import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Clock } from '../../core/clock.ts';
import type { Planner } from '../../core/contracts.ts';
import type { Policy, Teacher } from '../../core/episode/agents.ts';
import { causeText, EspalierError } from '../../core/errors.ts';
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
import { importModule } from '../load-module.ts';
import type { LimitsConfig, RunConfig, StrategyConfig, StudentConfig } from './config.ts';

export interface StudentFile {
  readonly knowledge: Knowledge;
  readonly sha256: string;
}

export function readStudentFile(path: string): StudentFile {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
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

/** The config with the hash of the student it starts with; a student that was trained again since is refused. */
export function settleStudent(config: RunConfig): RunConfig {
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

/** Agents of the user's, made anew for each episode where their module exports a function. */
export interface OwnAgents {
  readonly policy?: () => Policy;
  readonly teacher?: () => Teacher;
}

/** The policy that a module of the user's exports. */
export function loadOwnPolicy(file: string): Promise<() => Policy> {
  return ownAgent<Policy>(file, 'policy', ['name', 'act']);
}

/** Loads what the config names by the path of a module. */
export async function loadOwnAgents({ student, teacher }: RunConfig): Promise<OwnAgents> {
  return {
    ...(student.kind === 'module' ? { policy: await loadOwnPolicy(student.file) } : {}),
    ...(teacher.kind === 'module'
      ? { teacher: await ownAgent<Teacher>(teacher.file, 'teacher', ['name', 'review', 'correct']) }
      : {}),
  };
}

async function ownAgent<T>(file: string, member: string, powers: readonly string[]): Promise<() => T> {
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
export function createCasting(config: RunConfig, { clock, human, own }: CastOptions): () => Cast {
  const createPolicy = own.policy ?? studentFactory(config.student, clock);
  const strategy = strategyOf(config.strategy);
  const limits = limitsOf(config);
  return () => ({ student: createPolicy(), teacher: teacherOf(config, { clock, human, own }), strategy, limits });
}

/** Whether somebody in the run looks at privileged state. */
export function isPrivileged({ student, teacher }: RunConfig, own: OwnAgents): boolean {
  const isOwn = own.policy?.().privileged === true || own.teacher?.().privileged === true;
  return isOwn || student.kind === 'planner' || teacher.kind === 'planner';
}

function studentFactory(student: StudentConfig, clock: Clock): () => Policy {
  if (student.kind === 'planner') return () => createPlannerPolicy(createTeachingPlanner(clock));
  const policy = 'temperature' in student ? createRanker(student) : createRandomPolicy();
  return () => policy;
}

function createRanker(student: Extract<StudentConfig, { temperature: number }>): Policy {
  const { temperature } = student;
  if (student.kind === 'untrained')
    return createStudent({ knowledge: blankKnowledge(), name: 'untrained', temperature });
  return createStudent({ knowledge: readStudentFile(student.file).knowledge, name: 'learned', temperature });
}

function teacherOf({ teacher }: RunConfig, { clock, human, own }: CastOptions): Teacher | null {
  if (teacher.kind === 'none') return null;
  if (own.teacher !== undefined) return own.teacher();
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

function limitsOf({ limits, strategy, teacher }: RunConfig): Partial<Limits> {
  return {
    ...budgetOf(limits),
    ...(strategy.kind === 'best-of-n' ? { leaves: strategy.attempts } : {}),
    // A person may think as long as it takes.
    ...(teacher.kind === 'human' ? { waitMilliseconds: Infinity } : {}),
  };
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
