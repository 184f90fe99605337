import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StateEnvironment } from '../core/contracts.ts';
import { causeText, EspalierError, invalidOption } from '../core/errors.ts';
import type { Task } from '../core/records.ts';
import { coverageOf, type Coverage } from '../forge/coverage/coverage.ts';
import {
  createTaskPool,
  defaultBand,
  type Band,
  type TaskAdmission,
  type TaskPool,
  type TaskRung,
} from '../forge/pool/admit-task.ts';
import { createCurriculum, type Curriculum, type Skill } from '../forge/pool/curriculum.ts';
import { nextNoiseLevel } from '../worlds/wrappers/lost-steps.ts';
import { createWorld } from '../worlds/world.ts';
import { createPlanner } from '../agents/planner/planner.ts';
import { readForgeName, taskFile } from '../forge/forge-name.ts';
import { absoluteName } from './environments/names.ts';
import { findSource } from './environments/open-environment.ts';
import { writeTaskFile } from '../forge/task-folder.ts';
import { queryWorld, type QueryMatch } from '../forge/queries/query-world.ts';
import { heldOutOf } from './forging/held-out-of.ts';
import { isModelName, openTrialStudent, passRateOf } from './forging/student-trials.ts';
import type { AgentSetting } from './agents/agent-entry.ts';
import { connectTo } from './models/connect.ts';
import { withModels, type Spending, type SpendingOptions } from './models/spending.ts';

export interface ForgeRunOptions {
  /** `mail`, `./library.ts`, or a name with options such as `forge:mail,kinds=commands`. */
  readonly app: string;
  /** Seeds of each template that are tried; with a curriculum, so many on average. */
  readonly seeds: number;
  /** States that the planner may expand for a task. */
  readonly nodes: number;
  /** What people ask for, in their words: tasks are made of these alone. */
  readonly queries?: readonly string[] | undefined;
  /** The student for whom tasks are forged: what it passes always or never is dropped. */
  readonly student?: TrialOptions | undefined;
  /** What a student that is a model needs: where it is asked from, what it may spend, and where that is written down. */
  readonly models?: SpendingOptions | undefined;
  onTask?(progress: ForgeProgress): void;
}

export interface TrialOptions {
  /** As wherever a student goes: a file of `espalier train`, a model behind an endpoint, `untrained`, a module. */
  readonly name: string;
  /** Pass rates between which a task is kept. */
  readonly band?: Band | undefined;
  /** How often the student tries each task. */
  readonly trials: number;
  /** Chooses what to forge next by how the student does. */
  readonly curriculum: boolean;
}

interface ForgeProgress {
  readonly done: number;
  readonly all: number;
  readonly template: string;
  readonly admission: TaskAdmission;
}

export interface ForgeResult {
  /** The name that opens the environment of the tasks. */
  readonly environment: string;
  readonly tasks: readonly Task[];
  readonly steps: readonly number[];
  /** What fell, by rung and template. */
  readonly dropped: readonly { readonly template: string; readonly rung: TaskRung; readonly detail: string }[];
  readonly templates: { readonly all: number; readonly admitted: number };
  /** Each query with the template that it became, or why it became none; null where tasks were forged from commands. */
  readonly queries: readonly QueryMatch[] | null;
  /** How much of the app the solutions of the tasks use. */
  readonly coverage: Coverage;
  /** How the student does, what it should train on next first; null without a student. */
  readonly skills: readonly Skill[] | null;
  /** How the student does at the level of noise, and which level to train on next; null without a student. */
  readonly noise: { readonly level: number; readonly passRate: number; readonly next: number } | null;
}

/** Forges tasks from an app and admits those that are sound, solvable and new. */
export async function forgeTasks(options: ForgeRunOptions): Promise<ForgeResult> {
  const { student, models } = options;
  if (student === undefined || !isModelName(student.name)) return forgeWith(options, undefined);
  if (models === undefined) throw withoutModels(student.name);
  await mkdir(models.folder, { recursive: true });
  return withModels(models, async spending => {
    const result = await forgeWith(options, spending);
    const exhausted = spending.exhausted();
    if (exhausted !== null) models.host.onNotice(exhausted);
    return result;
  });
}

async function forgeWith(options: ForgeRunOptions, spending: Spending | undefined): Promise<ForgeResult> {
  const name = forgedName(options);
  const source = await findSource(name);
  if (!('app' in source)) throw notAnApp(options.app);
  const asked = options.queries === undefined ? null : queryWorld(source.app, options.queries, options.seeds);
  const environment = asked?.environment ?? createWorld(source.app);
  const { student } = options;
  const passRate =
    student === undefined ? undefined : await studentPassRate(environment, student, spending && connectTo(spending));
  // Bounded by states alone, so that what is admitted does not depend on the speed of the machine.
  const planner = createPlanner({ clock: { now: () => 0 }, maxNodes: options.nodes });
  const heldOut = await heldOutOf(name, source.app, planner);
  const pool = createTaskPool({ environment, planner, heldOut, passRate, band: student?.band });
  const templates = environment.templates.map(({ id }) => id);
  const curriculum = createCurriculum(templates, student?.band ?? defaultBand);
  const order = asked === null ? null : querySeeds(asked.queries, options.seeds);
  const falls = await fillPool(options, { pool, templates, curriculum, spending, order });
  const skills = student === undefined ? null : curriculum.skills();
  return {
    environment: name,
    tasks: weakestFirst(pool.tasks, student?.curriculum === true ? skills : null),
    steps: pool.solved.map(({ actions }) => actions.length),
    dropped: falls,
    queries: asked?.queries ?? null,
    templates: { all: templates.length, admitted: new Set(pool.tasks.map(({ template }) => template)).size },
    coverage: coverageOf(source.app, environment, pool.solved),
    skills,
    noise: skills === null ? null : noiseOf(readForgeName(name).noise, skills),
  };
}

/** Queries ask for single commands. */
function forgedName({ app, queries, student }: ForgeRunOptions): string {
  const named = app.startsWith('forge:') ? app : `forge:${app}`;
  if (queries === undefined) return absoluteName(named);
  const { kinds, isGrid } = readForgeName(named);
  if (isGrid || kinds?.includes('commands') === false)
    throw invalidOption('Queries are instantiated with single commands.', 'Expected an app, or kinds=commands.');
  if (student?.curriculum === true)
    throw invalidOption('Queries and a curriculum were given.', 'Expected one of --queries and --curriculum.');
  return absoluteName(kinds === null ? `${named},kinds=commands` : named);
}

interface Turn {
  readonly template: string;
  readonly seed: number;
}

/** The tasks of each query, one seed after the other. */
function querySeeds(queries: readonly QueryMatch[], seeds: number): readonly Turn[] {
  return queries.flatMap((query, at) =>
    'template' in query
      ? Array.from({ length: seeds }, (_, index) => ({ template: query.template, seed: at * seeds + index + 1 }))
      : [],
  );
}

function noiseOf(level: number, skills: readonly Skill[]): ForgeResult['noise'] {
  const rates = skills.flatMap(({ passRate }) => passRate ?? []);
  const passRate = rates.length === 0 ? 0 : rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
  return { level, passRate, next: nextNoiseLevel(level, passRate) };
}

interface Filling {
  readonly pool: TaskPool;
  readonly templates: readonly string[];
  readonly curriculum: Curriculum;
  readonly spending: Spending | undefined;
  /** What is tried, where that is given; every template with every seed when null. */
  readonly order: readonly Turn[] | null;
}

/** Tries templates and seeds, in the order of the curriculum or one seed after the other, while the budget lasts. Gives what fell. */
async function fillPool(
  { seeds, student, onTask }: ForgeRunOptions,
  { pool, templates, curriculum, spending, order }: Filling,
): Promise<ForgeResult['dropped']> {
  const dropped: ForgeResult['dropped'][number][] = [];
  const all = order?.length ?? templates.length * seeds;
  for (let index = 0; index < all; index++) {
    const inTurn = {
      template: templates[index % templates.length] as string,
      seed: Math.floor(index / templates.length) + 1,
    };
    const { template, seed } = order?.[index] ?? (student?.curriculum === true ? curriculum.next() : inTurn);
    const admission = await pool.admit(template, seed).catch((cause: unknown) => {
      if (spending === undefined || spending.exhausted() === null) throw cause;
      return null;
    });
    if (admission === null) break;
    curriculum.note(template, admission.passRate ?? null);
    if (!admission.admitted) dropped.push({ template, rung: admission.rung, detail: admission.detail });
    onTask?.({ done: index + 1, all, template, admission });
  }
  return dropped;
}

async function studentPassRate(
  environment: StateEnvironment,
  { name, trials }: TrialOptions,
  connect: AgentSetting['connect'] | undefined,
): Promise<(task: Task) => Promise<number>> {
  const makeStudent = await openTrialStudent(name, connect);
  return task => passRateOf(task, { environment, makeStudent, trials, atOnce: connect !== undefined });
}

function withoutModels(name: string): EspalierError {
  return invalidOption(
    `"${name}" is a model, but nothing says how to ask it.`,
    'Expected the option models: { host, folder, spending }.',
  );
}

/** In the order of the student's skills, when there is a curriculum. */
function weakestFirst(tasks: readonly Task[], skills: readonly Skill[] | null): readonly Task[] {
  if (skills === null) return tasks;
  const order = new Map(skills.map(({ template }, index) => [template, index]));
  return tasks.toSorted((left, right) => (order.get(left.template) ?? 0) - (order.get(right.template) ?? 0));
}

/** Writes the tasks to a folder, whole or not at all. */
export async function writeTasks(folder: string, { environment, tasks }: ForgeResult): Promise<string> {
  const path = join(folder, taskFile);
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(`${path}.part`, writeTaskFile({ forged: 1, environment }, tasks));
    await rename(`${path}.part`, path);
  } catch (cause) {
    throw new EspalierError({
      boundary: 'input',
      code: 'invalid-option',
      message: `${path} cannot be written: ${causeText(cause)}.`,
      expected: 'Expected a folder you may write to as --out.',
      cause,
    });
  }
  return path;
}

function notAnApp(name: string): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'unsupported',
    message: `"${name}" is no app, so nothing can be forged from it.`,
    expected: 'Expected a built-in app, or a module that exports `app` from defineApp.',
  });
}
