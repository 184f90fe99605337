import type { Environment } from '../../core/contracts.ts';
import { isSearching, type Policy, type Teacher } from '../../core/episode/agents.ts';
import { invalidOption, type EspalierError } from '../../core/errors.ts';
import type { ModuleShape } from '../../core/naming/registry.ts';
import type { EpisodeParts } from '../../episode/attempt.ts';
import type { Limits } from '../../episode/cursor/budget.ts';
import type { Strategy } from '../../episode/strategies/strategy.ts';
import type { LimitsConfig, ModuleStrategyConfig, RunConfig, StrategyConfig } from '../config/config.ts';
import { notGiven, type GivenParts, type Making } from '../host/given.ts';
import { studentNamed } from '../config/named-agents.ts';
import { loadPlugin } from '../registry/load-plugin.ts';
import { strategies } from '../registry/strategies.ts';
import { students } from '../registry/students.ts';
import { teachers } from '../registry/teachers.ts';
import type { AgentSetting, OpenedAgent } from '../agents/agent-entry.ts';

type StudentConfig = RunConfig['student'];
type TeacherConfig = RunConfig['teacher'];

/** The config with the hashes of what it starts with; a student or prompts that were changed since are refused. */
export async function settleAgents(config: RunConfig): Promise<RunConfig> {
  const { student, teacher } = config;
  return {
    ...config,
    student: ((await students.find(student.kind)?.settle?.(student)) ?? student) as StudentConfig,
    teacher: ((await teachers.find(teacher.kind)?.settle?.(teacher)) ?? teacher) as TeacherConfig,
  };
}

/** Whether a model is asked: the student is one, or is made of one. */
export function asksModels(student: Readonly<Record<string, unknown>>): boolean {
  if (student['kind'] === 'model') return true;
  const entry = students.find(String(student['kind']));
  return entry?.parts?.(student as never).some(part => asksModels(studentNamed(part))) === true;
}

/** Refuses a student that can do nothing in some environment of the run, before it is begun. */
export function requireSuited({
  student,
  environments,
}: {
  readonly student: { readonly kind?: unknown };
  readonly environments: readonly string[];
}): void {
  const { suits, name } = students.find(String(student.kind)) ?? {};
  const unsuited = environments.find(environment => suits?.environment.test(environment) === false);
  if (suits === undefined || unsuited === undefined) return;
  throw invalidOption(
    `The student ${name} cannot act in ${unsuited}.`,
    `Expected an environment such as ${suits.expected}, or another student.`,
  );
}

/** Refuses a team that has no policy for a role of some environment, and one where nobody plays roles. */
export function requireRoles({ roles, name }: Policy, environments: Iterable<Environment>): void {
  if (roles === undefined) return;
  for (const { id, roles: played = [] } of environments) {
    const missing = played.find(role => !roles.includes(role));
    const spare = roles.find(role => !played.includes(role));
    if (missing !== undefined)
      throw invalidOption(
        `The student ${name} has no policy for the role "${missing}" of ${id}.`,
        `Expected one for each role: team:${played.map(role => `${role}=<student>`).join(',')}.`,
      );
    if (spare !== undefined)
      throw invalidOption(
        `${id} has no role "${spare}".`,
        played.length === 0
          ? 'Expected an environment with roles, such as team:einstein or team:mail, or a student without roles.'
          : `Expected a policy for each of: ${played.join(', ')}.`,
      );
  }
}

export type EpisodeAgents = Omit<EpisodeParts, 'environment'>;

/** The agents and the strategy of a run, ready to play. */
export interface OpenedAgents {
  readonly student: Making<Policy>;
  readonly teacher: Making<Teacher> | null;
  readonly strategy: Strategy;
}

/** Makes what a config names: entries of the registries, modules of the user's, and objects of the caller's. */
export async function openAgents(
  { student, teacher, strategy }: Pick<RunConfig, 'student' | 'teacher' | 'strategy'>,
  setting: AgentSetting,
  given: GivenParts = {},
): Promise<OpenedAgents> {
  return {
    student:
      student.kind === 'object'
        ? objectOf(given.policy, `The student "${student.name}"`)
        : (await openStudent(student, setting)).make,
    teacher:
      teacher.kind === 'object'
        ? objectOf(given.teacher, `The teacher "${teacher.name}"`)
        : await openTeacher(teacher, setting),
    strategy:
      strategy.kind === 'object'
        ? objectOf(given.strategy, `The strategy "${String((strategy as { name?: unknown }).name)}"`)
        : await openStrategy(strategy),
  };
}

function objectOf<T>(object: T | undefined, what: string): T {
  if (object === undefined) throw notGiven(what);
  return object;
}

/** The student that a config speaks of. One of a module is made anew for each episode where it exports a function. */
export async function openStudent(config: StudentConfig, setting: AgentSetting): Promise<OpenedAgent<Policy>> {
  if (config.kind === 'module') {
    const { create } = await loadPlugin<Policy>(config.file, students.module as ModuleShape);
    return { make: () => create() };
  }
  return students.need(config.kind).open(config, {
    ...setting,
    student(name) {
      const named = studentNamed(name);
      const entry = students.find(String(named['kind']));
      return openStudent((entry === undefined ? named : entry.config.parse(named)) as StudentConfig, setting);
    },
  });
}

/** The teacher that a config speaks of; null for none. */
export async function openTeacher(config: TeacherConfig, setting: AgentSetting): Promise<Making<Teacher> | null> {
  if (config.kind === 'module') {
    const { create } = await loadPlugin<Teacher>(config.file, teachers.module as ModuleShape);
    return () => create();
  }
  const opened = await teachers.need(config.kind).open(config, setting);
  return opened?.make ?? null;
}

export async function openStrategy(config: StrategyConfig): Promise<Strategy> {
  if (isModuleStrategy(config)) {
    const { file, options } = config;
    const { create } = await loadPlugin<Strategy>(file, strategies.module as ModuleShape, options);
    const { name, asksTeacher: asks, limits } = create(options);
    return {
      name,
      asksTeacher: asks,
      ...(limits === undefined ? {} : { limits }),
      // What one episode leaves behind is not there in another.
      run: episode => create(options).run(episode),
    };
  }
  const { kind, ...options } = config;
  return strategies.need(kind).create(options);
}

function isModuleStrategy(strategy: StrategyConfig): strategy is ModuleStrategyConfig {
  return strategy.kind === 'module';
}

/** Who plays in the episodes of a run; called once for each episode. */
export function createEpisodeAgents(
  { limits }: Pick<RunConfig, 'limits'>,
  { student, teacher, strategy }: OpenedAgents,
): Making<EpisodeAgents> {
  if (strategy.asksTeacher && teacher === null) throw asksTeacher(strategy.name);
  const all = limitsOf(budgetOf(limits), strategy.limits);
  return head => ({ student: student(head), teacher: teacher?.(head) ?? null, strategy, limits: all });
}

/** What a strategy needs takes the place of what a run has by default; what a run may spend stays. */
function limitsOf(run: Partial<Limits>, needed: Partial<Limits> = {}): Partial<Limits> {
  const caps = ['taken', 'queries', 'milliseconds', 'cost', 'tokens'] as const;
  const spent = caps.map(cap => [cap, Math.min(run[cap] ?? Infinity, needed[cap] ?? Infinity)]);
  return { ...run, ...needed, ...Object.fromEntries(spent) };
}

/** Whether somebody in the run reads the state of the app. */
export function isPrivileged({ student, teacher }: OpenedAgents): boolean {
  return [student(null), teacher?.(null)].some(agent => agent?.privileged === true && !isSearching(agent));
}

function asksTeacher(strategy: string): EspalierError {
  return invalidOption(
    `The strategy "${strategy}" asks a teacher, and there is none.`,
    'Name one, such as --teacher planner, or choose a strategy that asks none.',
  );
}

function budgetOf(limits: LimitsConfig): Partial<Limits> {
  const { steps, taken, queries, interventions, reviews, forks, seconds, cost, tokens } = limits;
  return {
    steps,
    taken: taken ?? Infinity,
    queries: queries ?? Infinity,
    interventions,
    reviews: reviews ?? Infinity,
    forks,
    // Every fork ends in a leaf, beside the main one.
    leaves: forks + 1,
    milliseconds: seconds === null ? Infinity : Math.ceil(seconds * 1000),
    cost: cost ?? Infinity,
    tokens: tokens ?? Infinity,
  };
}
