import { z } from 'zod';
import { invalidOption, type EspalierError } from '../../core/errors.ts';
import { closest } from '../../core/naming/closest.ts';
import { editions } from '../../models/prompt/prompts.ts';
import { mostAtOnce } from '../settings/concurrency.ts';
import { irrelevantKeys, spendingSchema } from '../settings/model-config.ts';
import { browserSchema } from '../settings/browser-config.ts';
import { actionSets } from '../environments/offered-actions.ts';
import { strategies } from '../registry/strategies.ts';
import { studentEntries, students } from '../registry/students.ts';
import { teacherEntries, teachers } from '../registry/teachers.ts';
import { scheduleNames } from '../registry/schedules.ts';
import { mostInstances, mostRounds } from '../settings/seeds.ts';

const mostTrials = 1000;
const whole = z.int().nonnegative();
const counting = z.int().positive();

/** Agents that stand in no registry: a module of the user's, and an object of the program that began the run. */
const ownAgents = [
  z.strictObject({ kind: z.literal('module'), file: z.string() }),
  z.strictObject({ kind: z.literal('object'), name: z.string() }),
] as const;

type Configs<E extends readonly { readonly config: unknown }[]> = { readonly [K in keyof E]: E[K]['config'] };

function configsOf<E extends readonly { readonly config: unknown }[]>(entries: E): Configs<E> {
  return entries.map(({ config }) => config) as unknown as Configs<E>;
}

const studentSchema = z.discriminatedUnion('kind', [...configsOf(studentEntries), ...ownAgents], {
  error: anyOf([...students.names, 'module']),
});
const teacherSchema = z.discriminatedUnion('kind', [...configsOf(teacherEntries), ...ownAgents], {
  error: anyOf([...teachers.names, 'module']),
});

const ownStrategies = [
  /** One of the user's own: a module that exports `strategy`. */
  z.strictObject({
    kind: z.literal('module'),
    file: z.string(),
    options: z.record(z.string(), z.json()).default({}).describe('an option of a strategy of yours'),
  }),
  z.strictObject({ kind: z.literal('object'), name: z.string() }),
] as const;
const namedStrategies = strategies.entries.map(({ name, options }) =>
  z.strictObject({ kind: z.literal(name), ...options.shape }),
) as unknown as readonly z.ZodObject<{ kind: z.ZodLiteral<string> }, z.core.$loose>[];
const strategySchema = z.discriminatedUnion('kind', [...ownStrategies, ...namedStrategies], {
  error: anyOf(strategies.names),
});
/** The kind says which strategy; its options stand beside. */
export type StrategyConfig = z.infer<typeof strategySchema>;
export type ModuleStrategyConfig = z.infer<(typeof ownStrategies)[0]>;

/** `a, b or c`. */
function anyOf(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1) ?? ''}`;
}

/** Null means no limit. */
const limitsSchema = z.strictObject({
  steps: counting.default(30).describe('steps of an episode, on any path from its start'),
  taken: counting
    .nullable()
    .default(null)
    .describe('all steps of an episode, rolled-back ones too; null for any number'),
  queries: counting.nullable().default(null).describe('questions to the student in an episode; null for any number'),
  interventions: whole.default(6).describe('steps of the teacher in an episode'),
  reviews: whole.nullable().default(null).describe('reviews in an episode; null for any number'),
  forks: whole.default(4).describe('branches of an episode that live on'),
  seconds: z.number().positive().nullable().default(null).describe('time of an episode; null for any'),
  cost: z.number().nonnegative().nullable().default(null).describe('cost of an episode, as its agents state it'),
  tokens: counting.nullable().default(null).describe('tokens of an episode, as its agents state them'),
});
export type LimitsConfig = z.infer<typeof limitsSchema>;

/** What runs next, given what has ended. Other kinds than the plan give every task `first` trials, then `batch` after `batch` where they are worth most. */
const scheduleSchema = z.strictObject({
  kind: z
    .enum(scheduleNames)
    .default('plan')
    .describe('what runs next: the plan, or by what has ended so far: uniform, trace, xrpo, echo-ttrl'),
  episodes: counting.default(64).describe('episodes of a run by trace, xrpo, echo-ttrl or uniform, in all'),
  first: counting.default(2).describe('trials of every task before anything is decided'),
  batch: counting.default(16).describe('episodes that are decided on at once; a batch ends before the next is decided'),
  explore: z.number().nonnegative().default(0.1).describe('xrpo: weight of tasks that were tried little'),
  most: counting.default(8).describe('echo-ttrl: trials of a task at most, beside the first ones'),
});

const shapeSchema = z.strictObject({
  version: z.literal(1, { error: 'version 1: a newer one needs a newer Espalier' }).default(1),
  /** Name of the run in its store. */
  run: z.string().min(1),
  /** Ids of built-in environments, or paths of modules. */
  environments: z.array(z.string()).min(1).readonly(),
  /** `template`, or `environment/template`; null for all of the training split. */
  templates: z.array(z.string()).min(1).readonly().nullable().default(null),
  /** Ids such as `mail/star-message/17`, in the place of templates and instances. */
  tasks: z.array(z.string()).min(1).readonly().nullable().default(null),
  /** Of each template. */
  instances: counting.max(mostInstances).default(3),
  /** Attempts at each task, as episodes of their own that run at once. */
  trials: counting.max(mostTrials).default(1),
  round: whole.max(mostRounds).default(1),
  seed: whole.default(1),
  student: studentSchema.default({ kind: 'untrained', temperature: 1 }),
  /** The planner where the strategy asks a teacher, else none. */
  teacher: teacherSchema.optional(),
  strategy: strategySchema.prefault({ kind: 'speculative-rollback' }),
  limits: limitsSchema.default(() => limitsSchema.parse({})),
  schedule: scheduleSchema.default(() => scheduleSchema.parse({})),
  actions: z
    .enum(actionSets)
    .default('all')
    .describe('what agents are offered: actions on the screen, tools of the environment, or all'),
  contracts: z
    .string()
    .nullable()
    .default(null)
    .describe('rules for every step of the agents: path of a module that exports `contracts`'),
  /** Draws apps in a browser; null for text alone. */
  browser: browserSchema.nullable().default(null),
  spending: spendingSchema.default(() => spendingSchema.parse({})),
  /** Edition of the built-in prompts that its rows are written with; left out in runs of the first. */
  wording: z.literal(editions).optional(),
  /** Hashes of the files that its environments are made from, by name; left out where they are built in. */
  sources: z.record(z.string(), z.string()).optional(),
  /** Episodes at once; a person is asked one question at a time. */
  concurrency: counting.max(mostAtOnce, `a whole number from 1 to ${mostAtOnce}`).optional(),
});

/** The schema of each member, for what lists and reads settings. */
export const configShape = shapeSchema.shape;

/** They read the screen, and never call a tool. */
const screenAgents: ReadonlySet<string> = new Set(['untrained', 'learned', 'small', 'random', 'planner']);

/** Everything that determines a run, as its folder keeps it. */
const configSchema = shapeSchema
  .transform(({ teacher: given, concurrency, ...rest }) => {
    const teacher = given ?? defaultTeacher(rest.strategy);
    return { ...rest, teacher, concurrency: concurrency ?? defaultConcurrency(rest, teacher.kind) };
  })
  .superRefine((config, context) => {
    const refuse = (path: string[], message: string): void =>
      context.addIssue({ code: 'custom', path, message, continue: true });
    const { teacher, strategy, concurrency } = config;
    // A strategy of the user's says when it is loaded whether it asks a teacher.
    const asks = strategies.find(strategy.kind)?.asksTeacher ?? null;
    if (asks === true && teacher.kind === 'none')
      refuse(['teacher', 'kind'], `a teacher: the strategy ${strategy.kind} asks one`);
    if (asks === false && teacher.kind !== 'none')
      refuse(['teacher', 'kind'], `none: the strategy ${strategy.kind} asks no teacher`);
    for (const [role, agent] of Object.entries({ student: config.student, teacher }))
      if (agent.kind === 'model' && agent.observe !== 'text' && (config.browser?.screenshots ?? 'none') === 'none')
        refuse(
          [role, 'observe'],
          'text, or pictures to look at: add --browser, or --set browser.screenshots=png for pages of others',
        );
    if (config.tasks !== null && config.templates !== null) refuse(['tasks'], 'tasks or templates, not both');
    for (const [role, agent] of Object.entries({ student: config.student, teacher }))
      if (config.actions === 'tools' && screenAgents.has(agent.kind))
        refuse(['actions'], `screen or all: the ${role} ${agent.kind} acts on the screen`);
    if (teacher.kind === 'human' && concurrency > 1) refuse(['concurrency'], '1, as a person is asked');
  });
export type RunConfig = z.infer<typeof configSchema>;

function defaultTeacher({ kind }: StrategyConfig): z.infer<typeof teacherSchema> {
  return strategies.find(kind)?.asksTeacher === true ? { kind: 'planner', errors: 0, strict: false } : { kind: 'none' };
}

/** Episodes that wait for a remote model leave the CPU to others. */
function defaultConcurrency(
  { student, browser }: Pick<z.infer<typeof shapeSchema>, 'student' | 'browser'>,
  teacher: string,
): number {
  if (teacher === 'human') return 1;
  return browser === null && (student.kind === 'model' || teacher === 'model') ? 32 : 8;
}

/** A config as a person writes it. Everything else gets its default. */
export type ConfigDraft = z.input<typeof shapeSchema>;

/** The strategy of an evaluation, with its defaults. */
export function readStrategy(value: unknown, where: string): StrategyConfig {
  return readConfig({ run: 'evaluation', environments: ['mail'], strategy: value }, where).strategy;
}

/** Fills in defaults and refuses unknown or impossible values. `where` names the source in errors. */
export function readConfig(value: unknown, where: string): RunConfig {
  const parsed = configSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0] as z.core.$ZodIssue;
  throw issue.code === 'unrecognized_keys' ? unknownKey(value, issue, where) : impossible(value, issue, where);
}

function unknownKey(value: unknown, issue: z.core.$ZodIssueUnrecognizedKeys, where: string): EspalierError {
  const [key, path] = [issue.keys[0] as string, issue.path.join('.')];
  const known = keysAt(path, memberAt(value, [...issue.path, 'kind']));
  const near = closest(key, known);
  return invalidOption(
    `${where} has the unknown key "${path === '' ? key : `${path}.${key}`}".${near === null ? '' : ` Did you mean "${near}"?`}`,
    `Expected${path === '' ? '' : ` in ${path}`}: ${known.join(', ')}.`,
  );
}

/** The keys that an object of the config may have. Some depend on its kind. */
function keysAt(path: string, kind: unknown): string[] {
  if (path === '') return Object.keys(shapeSchema.shape);
  if (path === 'schedule') return Object.keys(scheduleSchema.shape);
  if (path === 'limits') return Object.keys(limitsSchema.shape);
  if (path === 'browser') return Object.keys(browserSchema.shape);
  if (path === 'spending') return Object.keys(spendingSchema.shape);
  const { options } = path === 'student' ? studentSchema : path === 'teacher' ? teacherSchema : strategySchema;
  const option = [...options].find(({ shape }) => shape.kind.value === kind);
  return Object.keys(option?.shape ?? {});
}

function impossible(value: unknown, issue: z.core.$ZodIssue, where: string): EspalierError {
  const key = issue.path.join('.');
  const came = memberAt(value, issue.path);
  return invalidOption(
    `${where} gives ${key === '' ? 'no object' : `"${key}"`}${came === undefined ? '' : ` as ${JSON.stringify(came)}`}.`,
    `Expected ${issue.message.replace(/^[^:]*: expected /, '')}.`,
  );
}

function memberAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, step) => (at as Record<PropertyKey, unknown> | null | undefined)?.[step], value);
}

/** Settings that change where and how fast a run goes, not what it does. */
const irrelevant: ReadonlySet<string> = new Set(['concurrency', 'wording', 'browser.path', ...irrelevantKeys]);

/** The differences of two configs, one line each. Concurrency makes no difference. */
export function differences(before: RunConfig, after: RunConfig): string[] {
  const [old, now] = [flat(before), flat(after)];
  // Runs of earlier versions do not know their sources.
  const isCompared = (key: string): boolean =>
    key.endsWith('.grammar') ? old.has(key) : !key.startsWith('sources.') || before.sources !== undefined;
  const keys = [...new Set([...old.keys(), ...now.keys()])].filter(key => !irrelevant.has(key) && isCompared(key));
  return keys
    .filter(key => old.get(key) !== now.get(key))
    .map(key => `${key} was ${old.get(key) ?? 'not set'}, is ${now.get(key) ?? 'not set'}`);
}

/** What a run does: equal for configs without differences. */
export function comparable(config: RunConfig): Readonly<Record<string, string>> {
  return Object.fromEntries([...flat(config)].filter(([key]) => !irrelevant.has(key)));
}

function flat(value: object, path = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const [key, member] of Object.entries(value)) {
    const at = path === '' ? key : `${path}.${key}`;
    const isNested = typeof member === 'object' && member !== null && !Array.isArray(member);
    if (isNested) for (const [inner, text] of flat(member as object, at)) found.set(inner, text);
    else found.set(at, JSON.stringify(member));
  }
  return found;
}
