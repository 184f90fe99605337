import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { invalidOption, type EspalierError } from '../../core/errors.ts';
import { readConfig, type ConfigDraft, type RunConfig } from '../../runs/config/config.ts';
import { findConfig, runPaths } from '../../runs/folder/folder.ts';
import { said } from '../terminal/verb.ts';
import { strategyNamed } from '../../runs/config/named-agents.ts';
import { requireEffect } from '../flags/strategy-flags.ts';
import { browserBefore } from '../flags/browser-flags.ts';
import { readSettingsFile, settingsGiven, type SettingFlags } from '../settings/given-settings.ts';
import { assign, type Assignment } from '../settings/setting.ts';
import { settingsOf } from '../settings/verb-settings.ts';
import { absoluteName } from '../../runs/environments/names.ts';
import { isPostgres } from '../../store/postgres/address.ts';
import { studentNamed, teacherNamed } from '../../runs/config/named-agents.ts';

/** The flags of `collect`. */
export interface CollectFlags extends SettingFlags {
  readonly out?: string;
  readonly resume?: string;
  readonly templates?: readonly string[];
  readonly tasks?: readonly string[];
  readonly instances?: number;
  readonly trials?: number;
  readonly round?: number;
  readonly seed?: number;
  readonly student?: string;
  readonly teacher?: string;
  readonly strategy?: string;
  readonly browser?: boolean;
  readonly concurrency?: number;
}

export interface CollectOrder {
  readonly folder: string;
  readonly config: RunConfig;
}

interface OrderReading {
  /** The built-in environments. */
  readonly known: readonly string[];
  note(text: string): void;
}

/** The folder and the config of a run: from the run itself, from a file, or from defaults, changed by the flags. */
export function readOrder(
  environments: readonly string[],
  flags: CollectFlags,
  { known, note }: OrderReading,
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
  const draft = { ...base, ...changesOf(base, flags, note), run, environments: named, sources };
  return { folder, config: readConfig(draft, 'The run') };
}

/** A config of a run, or settings alone. */
function readNamedConfig(path: string): ConfigDraft | null {
  const value = readSettingsFile(path);
  return 'run' in value ? readConfig(value, path) : (value as unknown as ConfigDraft);
}

/** Only what was given. Defaults depend on the kinds of agents. */
export function changesOf(
  base: ConfigDraft | null,
  flags: CollectFlags,
  note: (text: string) => void = () => {},
): Record<string, unknown> {
  const { templates, tasks, instances, trials, round, seed, concurrency } = flags;
  requireTasksAlone(flags);
  const agents = agentsOf(base, flags);
  const given = settingsGiven('collect', flags, { models: modelsAmong(agents), note });
  const isTaught = given.some(({ path }) => path.startsWith('teacher.'));
  const draft = {
    spending: { ...base?.spending },
    ...said({ actions: base?.actions, contracts: base?.contracts }),
    ...said({ browser: browserBefore(base?.browser ?? null, flags.browser, given) }),
    limits: { ...base?.limits },
    ...agents,
    teacher: agents.teacher ?? (isTaught ? { kind: 'planner' } : undefined),
  };
  const changed = assign(draft, given, settingsOf('collect'));
  requireEffect(changed['strategy'] as Record<string, unknown>, given);
  requireModel(given, modelsAmong(agents));
  return {
    ...said({ templates, tasks, instances, trials, round, seed }),
    ...changed,
    // A person answers one question at a time.
    concurrency: concurrency ?? (flags.teacher === undefined ? base?.concurrency : undefined),
  };
}

interface Agents {
  readonly student: Readonly<Record<string, unknown>>;
  readonly teacher: Readonly<Record<string, unknown>> | undefined;
  readonly strategy: Readonly<Record<string, unknown>>;
}

/** Those of the flags, else those of before. Another strategy has neither the options nor the teacher of the one before. */
function agentsOf(base: ConfigDraft | null, flags: CollectFlags): Agents {
  const named = flags.strategy === undefined ? {} : strategyNamed(flags.strategy);
  const before: { readonly kind?: unknown } = base?.strategy ?? {};
  const isOther = flags.strategy !== undefined && before.kind !== undefined && named['kind'] !== before.kind;
  const teacher = flags.teacher !== undefined ? teacherNamed(flags.teacher) : isOther ? undefined : base?.teacher;
  return {
    strategy: { kind: 'speculative-rollback', ...(isOther ? {} : before), ...named },
    student: { kind: 'untrained', ...(flags.student === undefined ? base?.student : studentNamed(flags.student)) },
    teacher: teacher === undefined ? undefined : { kind: 'planner', ...teacher },
  };
}

function modelsAmong({ student, teacher }: Pick<Agents, 'student' | 'teacher'>): ('student' | 'teacher')[] {
  return (['student', 'teacher'] as const).filter(role => ({ student, teacher })[role]?.['kind'] === 'model');
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

/** Budgets need a model. */
export function requireModel(given: readonly Assignment[], models: readonly string[]): void {
  const first = given.find(({ path }) => path.startsWith('spending.'));
  if (first === undefined || models.length > 0) return;
  throw invalidOption(
    `${first.path} is a setting of models, and neither student nor teacher is a model.`,
    'Expected --student or --teacher to name one, such as openai:qwen3@http://127.0.0.1:8000/v1.',
  );
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
  if (isPostgres(folder))
    return invalidOption(
      'A run is resumed in a folder, and this is the address of a store.',
      'Copy it first: espalier store copy <address> <folder>; then resume that folder.',
    );
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
