import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { invalidOption, type EspalierError } from '../../core/errors.ts';
import { readConfig, type ConfigDraft, type RunConfig } from '../../runs/config/config.ts';
import { findConfig, readConfigFile, runPaths } from '../../runs/folder/folder.ts';
import { said } from '../terminal/verb.ts';
import type { ActionFlags } from '../flags/task-flags.ts';
import { askingOf, spendingOf, type ModelFlags } from '../flags/model-flags.ts';
import { readBrowserFlags, browserFlagsOf, type BrowserFlags } from '../flags/browser-flags.ts';
import { requireFitting, strategySaid, type StrategyFlags } from '../flags/strategy-flags.ts';
import type { BrowserConfig } from '../../runs/settings/browser-config.ts';
import { absoluteName } from '../../runs/environments/names.ts';
import { studentNamed, teacherNamed } from '../../runs/config/named-agents.ts';

/** The flags of `collect`. */
export interface CollectFlags extends BrowserFlags, ModelFlags, StrategyFlags, ActionFlags {
  readonly out?: string;
  readonly resume?: string;
  readonly config?: string;
  readonly templates?: readonly string[];
  readonly tasks?: readonly string[];
  readonly instances?: number;
  readonly trials?: number;
  readonly round?: number;
  readonly seed?: number;
  readonly student?: string;
  readonly temperature?: number;
  readonly teacher?: string;
  readonly teacherErrors?: number;
  readonly teacherStrict?: boolean;
  readonly steps?: number;
  readonly interventions?: number;
  readonly reviews?: number;
  readonly forks?: number;
  readonly seconds?: number;
  readonly cost?: number;
  readonly concurrency?: number;
}

export interface CollectOrder {
  readonly folder: string;
  readonly config: RunConfig;
}

/** The folder and the config of a run: from the run itself, from a file, or from defaults, changed by the flags. */
export function readOrder(
  environments: readonly string[],
  flags: CollectFlags,
  known: readonly string[],
): CollectOrder {
  const { resume, out } = flags;
  const folder = resume ?? out;
  if (folder === undefined || (resume !== undefined && out !== undefined)) throw noFolder(resume);
  const before = findConfig(folder);
  if (resume !== undefined && before === null) throw nothingToResume(resume);
  const file = flags.config === undefined ? null : readNamedConfig(flags.config);
  const base: ConfigDraft | null = resume === undefined ? file : before;
  const run = before?.run ?? basename(resolve(folder));
  const named = environments.length === 0 ? (base?.environments ?? known) : environments.map(absoluteName);
  // Another run may be made from other versions of the same files.
  const { sources } = resume === undefined ? {} : (before ?? {});
  const draft = { ...base, ...changesOf(base, flags), run, environments: named, sources };
  return { folder, config: readConfig(draft, 'The run') };
}

function readNamedConfig(path: string): RunConfig {
  const config = readConfigFile(path);
  if (config !== null) return config;
  throw invalidOption(`There is no config ${path}.`, 'Expected a config.json that a run wrote into its folder.');
}

/** The members of a config that flags change. */
interface ConfigChanges extends Record<string, unknown> {
  readonly student: unknown;
  readonly teacher: unknown;
  readonly spending: unknown;
}

/** Only the flags that were given. Defaults depend on the kinds of agents. */
export function changesOf(base: ConfigDraft | null, flags: CollectFlags): ConfigChanges {
  const { templates, tasks, instances, trials, round, seed, concurrency, actions, contracts } = flags;
  requireTasksAlone(flags);
  const saidStrategy = strategySaid(flags);
  const isOtherStrategy = flags.strategy !== undefined && saidStrategy['kind'] !== base?.strategy?.kind;
  const strategy = filled(said({ ...(isOtherStrategy ? {} : base?.strategy), ...saidStrategy }), {
    kind: 'speculative-rollback',
  });
  requireFitting(strategy, flags);
  const namedTeacher = flags.teacher !== undefined ? teacherNamed(flags.teacher) : isOtherStrategy ? {} : base?.teacher;
  const teacher = said({
    ...namedTeacher,
    ...said({
      errors: flags.teacherErrors,
      strict: flags.teacherStrict,
      ...askedOf(namedTeacher, flags),
      temperature: flags.teacherTemperature,
    }),
  });
  const namedStudent = flags.student === undefined ? base?.student : studentNamed(flags.student);
  const student = said({
    ...namedStudent,
    ...said({ ...askedOf(namedStudent, flags), temperature: flags.temperature }),
  });
  requireModel(flags, [teacher, student]);
  const { steps, interventions, reviews, forks, seconds, cost } = flags;
  const limits = { ...base?.limits, ...said({ steps, interventions, reviews, forks, seconds, cost }) };
  return {
    ...said({ templates, tasks, instances, trials, round, seed, actions, contracts }),
    spending: { ...base?.spending, ...said({ ...spendingOf(flags) }) },
    ...said({ browser: readBrowserFlags(browserFlagsOf(flags), (base?.browser ?? null) as BrowserConfig | null) }),
    limits,
    student: filled(student, { kind: 'untrained' }),
    strategy,
    teacher: Object.keys(teacher).length === 0 ? undefined : filled(teacher, { kind: 'planner' }),
    // A person answers one question at a time.
    concurrency: concurrency ?? (flags.teacher === undefined ? base?.concurrency : undefined),
  };
}

/** A task has its template and its instance. */
export function requireTasksAlone({
  tasks,
  templates,
  instances,
}: Pick<CollectFlags, 'tasks' | 'templates' | 'instances'>): void {
  const other = templates !== undefined ? '--templates' : instances !== undefined ? '--instances' : null;
  if (tasks === undefined || other === null) return;
  throw invalidOption(`--tasks and ${other} both say which tasks to run.`, 'Expected one of them.');
}

/** Settings of models need a model. */
function requireModel(flags: CollectFlags, agents: readonly Record<string, unknown>[]): void {
  const [first] = Object.keys(said({ ...askingOf(flags), ...spendingOf(flags) }));
  if (first === undefined || agents.some(({ kind }) => kind === 'model')) return;
  throw invalidOption(
    `${first} is a setting of models, and neither student nor teacher is a model.`,
    'Expected --student or --teacher to name one, such as openai:qwen3@http://127.0.0.1:8000/v1.',
  );
}

/** The settings of models, for an agent that is one. */
function askedOf(agent: object | undefined, flags: CollectFlags): object {
  return agent !== undefined && 'kind' in agent && agent.kind === 'model' ? askingOf(flags) : {};
}

function filled(value: Record<string, unknown>, defaults: Record<string, unknown>): Record<string, unknown> {
  return { ...defaults, ...value };
}

function noFolder(resume: string | undefined): EspalierError {
  return resume === undefined
    ? invalidOption('No folder for the run was given.', 'Expected one: --out runs/one.')
    : invalidOption(
        '--resume and --out both name a folder.',
        `Expected one of them: --resume ${resume} goes on there.`,
      );
}

function nothingToResume(folder: string): EspalierError {
  if (existsSync(runPaths(folder).store))
    return invalidOption(
      `There is nothing to resume in ${folder}: its episodes were added by a server or an evaluation.`,
      'Expected the folder of a run of espalier collect. The verb that wrote this one adds to it with the same --out.',
    );
  return invalidOption(
    `There is no run to resume in ${folder}: it has no config.json.`,
    'Expected the folder of a run; start one with espalier collect --out.',
  );
}
