import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Environment } from '../../src/core/contracts.ts';
import { invalidOption } from '../../src/core/errors.ts';
import type { WaiEnvironment } from '../../src/envs/web/sites/wai/environment.ts';
import { absoluteName } from '../../src/runs/environments/names.ts';
import { readJson } from '../../src/modules/read-file.ts';
import { writeWhole } from '../../src/runs/folder/folder.ts';
import { withWorlds } from '../../src/runs/environments/worlds.ts';
import type { Host } from '../../src/runs/host/host.ts';
import { heldOutOf } from './held-out-tasks.ts';

/** An app of the study, by the name of its environment. */
export interface StudyApp {
  /** `gmail`: also the name of its folder in the study. */
  readonly id: string;
  /** `wai:/apps/gmail`. */
  readonly name: string;
}

/** Kinds of tasks, from easy to hard. */
export const kindOrder: readonly string[] = ['function', 'easy', 'medium', 'hard'];

export interface StudyTask {
  /** `gmail/function-task-1/1`. */
  readonly id: string;
  readonly app: string;
  /** `function`, or the difficulty that the app gives: `easy`. */
  readonly kind: string;
  /** Held out: searched to evaluate, never trained on. */
  readonly isHeldOut: boolean;
}

/** A task that is not used, and why. */
export interface LeftOut {
  readonly task: string;
  readonly reason: string;
}

export interface AppTasks {
  readonly app: string;
  /** Those that were looked for; all when null. Lists of before it was written down do not say. */
  readonly kinds?: readonly string[] | null;
  readonly tasks: readonly StudyTask[];
  readonly leftOut: readonly LeftOut[];
}

/** The apps in a folder of app folders, the app that a folder is itself, or any environment with pages by its name. */
export function findApps(place: string, only: readonly string[] | null): readonly StudyApp[] {
  const found = /^(?:wai|miniwob|page):/.test(place) ? [named(place)] : appsIn(place);
  if (only === null || only.includes('all')) return found;
  const unknown = only.find(id => !found.some(app => app.id === id));
  if (unknown !== undefined)
    throw invalidOption(`There is no app "${unknown}" in ${place}.`, `Expected some of: ${idsOf(found)}.`);
  return found.filter(({ id }) => only.includes(id));
}

function named(name: string): StudyApp {
  const words = name.replace(/^[a-z]+:/, '').match(/[\w-]+/g) ?? [];
  return { id: words.at(-1) ?? 'app', name: absoluteName(name) };
}

function appsIn(place: string): StudyApp[] {
  const folder = resolve(place);
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw invalidOption(
      `There is no folder ${place}.`,
      'Expected a folder of WebArena-Infinity apps, or one app folder.',
    );
  if (isApp(folder)) return [named(`wai:${folder}`)];
  const apps = readdirSync(folder)
    .toSorted()
    .map(name => join(folder, name))
    .filter(isApp);
  if (apps.length === 0)
    throw invalidOption(
      `${place} holds no app with tasks.`,
      'Expected folders with index.html and real-tasks.json or function-tasks.json.',
    );
  return apps.map(path => named(`wai:${path}`));
}

function isApp(folder: string): boolean {
  const has = (name: string): boolean => existsSync(join(folder, name));
  return has('index.html') && (has('real-tasks.json') || has('function-tasks.json'));
}

/** Works on several apps at once. What came of each, in the order of the apps; after a failure no further app is begun. */
export async function workOnApps<T>(
  apps: readonly StudyApp[],
  { atOnce, signal }: { readonly atOnce: number; readonly signal: AbortSignal },
  work: (app: StudyApp) => Promise<T>,
): Promise<readonly T[]> {
  const found: T[] = [];
  const queue = apps.entries();
  let hasFailed = false;
  const lane = async (): Promise<void> => {
    for (const [at, app] of queue) {
      if (signal.aborted || hasFailed) return;
      try {
        found[at] = await work(app);
      } catch (cause) {
        hasFailed = true;
        throw cause;
      }
    }
  };
  const lanes = await Promise.allSettled(Array.from({ length: Math.max(1, atOnce) }, lane));
  const failure = lanes.find(({ status }) => status === 'rejected');
  if (failure?.status === 'rejected') throw failure.reason;
  // Not those that a stop left out.
  return Object.values(found);
}

export interface TaskChoice {
  readonly host: Host;
  /** Kinds such as `function` or `easy`; all when null. */
  readonly kinds: readonly string[] | null;
  /** Of the app; all when null. */
  readonly most: number | null;
  /** Those that a study has already. */
  readonly known?: readonly StudyTask[];
}

/** The tasks of an app. Those whose verifier breaks, wavers or passes the untouched app are left out. */
export async function readTasks(app: StudyApp, { host, kinds, most, known = [] }: TaskChoice): Promise<AppTasks> {
  const options = { stateful: false, browser: null, concurrency: 2, host };
  return withWorlds([app.name], options, async worlds => {
    const environment = [...worlds.values()][0] as Environment;
    const leftOut = await badVerifiers(environment);
    const bad = new Set(leftOut.map(({ task }) => task));
    const heldOut = await heldOutTemplates(environment, known);
    const tasks = environment.templates
      .filter(({ id }) => !bad.has(id))
      .map(({ id, about }) => ({
        id: `${environment.id}/${id}/${taskSeed}`,
        app: app.id,
        kind: kindOf(id, about),
        isHeldOut: heldOut.has(id),
      }))
      .filter(({ kind }) => kinds === null || kinds.includes(kind));
    return { app: app.id, kinds, tasks: most === null ? tasks : tasks.slice(0, most), leftOut };
  });
}

export interface TaskListChoice extends TaskChoice {
  /** Kinds of a list that does not say which it was made for; all when null. */
  readonly kindsBefore: readonly string[] | null;
}

/**
 * The verifiers of an app are tried once in a study, which keeps what it found in its folder. When it takes up more kinds of
 * tasks, they are added: what it has already stays as it is, and those that ask for the same go with it.
 */
export async function readTasksOnce(app: StudyApp, folder: string, choice: TaskListChoice): Promise<AppTasks> {
  const file = join(folder, `tasks.${app.id}.json`);
  const known = existsSync(file) ? (readJson(file) as AppTasks) : null;
  const { kinds = choice.kindsBefore } = known ?? {};
  const hasAll = kinds === null || (choice.kinds?.every(kind => kinds.includes(kind)) ?? false);
  if (known !== null && hasAll) return known;
  const read = await readTasks(app, { ...choice, known: known?.tasks ?? [] });
  const all = known === null ? read : withMore(known, read, choice.most);
  writeWhole(file, `${JSON.stringify(all, null, 2)}\n`);
  return all;
}

function withMore(known: AppTasks, read: AppTasks, most: number | null): AppTasks {
  const ids = new Set(known.tasks.map(({ id }) => id));
  const tasks = [...known.tasks, ...read.tasks.filter(({ id }) => !ids.has(id))];
  // A verifier that wavers under load now has been used already.
  const leftOut = read.leftOut.filter(({ task }) => !known.tasks.some(({ id }) => templateOf(id) === task));
  return { ...read, leftOut, tasks: tasks.slice(0, most ?? tasks.length) };
}

export function trainingTasks(
  tasks: readonly AppTasks[],
  app: StudyApp,
  holdOut: readonly string[],
): readonly StudyTask[] {
  return holdOut.includes(app.id) ? [] : tasksOf(tasks, app).filter(({ isHeldOut }) => !isHeldOut);
}

export function heldOutTasks(
  tasks: readonly AppTasks[],
  app: StudyApp,
  holdOut: readonly string[],
): readonly StudyTask[] {
  return tasksOf(tasks, app).filter(({ isHeldOut }) => isHeldOut || holdOut.includes(app.id));
}

export function ofKinds(tasks: readonly StudyTask[], kinds: readonly string[] | null): readonly string[] {
  return tasks.filter(({ kind }) => kinds?.includes(kind) ?? true).map(({ id }) => id);
}

/** From easy to hard: where time is short, the hard ones are left. */
function tasksOf(tasks: readonly AppTasks[], { id }: StudyApp): readonly StudyTask[] {
  const own = tasks.find(({ app }) => app === id)?.tasks ?? [];
  return own.toSorted((left, right) => kindOrder.indexOf(left.kind) - kindOrder.indexOf(right.kind));
}

/** Apps of other people are the same for every seed. */
const taskSeed = 1;

/** Ids of tasks are `app/template/seed`. */
function templateOf(task: string): string {
  return task.split('/')[1] ?? '';
}

/** `task_e1, easy`: the difficulty stands last. */
function kindOf(template: string, about: string): string {
  if (template.startsWith('function-')) return 'function';
  return /, (\w+)$/.exec(about)?.[1] ?? 'task';
}

/** Where a study has tasks already, those stay where they are. */
async function heldOutTemplates(environment: Environment, known: readonly StudyTask[]): Promise<ReadonlySet<string>> {
  const { id: app, templates } = environment;
  // The instruction of other pages is known once they are opened.
  if (!('controls' in environment))
    return new Set(templates.flatMap(({ id, split }) => (split === 'train' ? [] : [id])));
  const listed = new Map(known.map(({ id, isHeldOut }) => [templateOf(id), isHeldOut]));
  const tasks = await Promise.all(
    templates.map(async ({ id }) => {
      const { instruction } = await environment.task(id, taskSeed);
      return { id, instruction, isHeldOut: listed.get(id) ?? null };
    }),
  );
  return heldOutOf(app, tasks);
}

async function badVerifiers(environment: Environment): Promise<LeftOut[]> {
  if (!('controls' in environment)) return [];
  const { controls } = environment as WaiEnvironment;
  const { passing, broken, unsteady } = await controls(environment.templates.map(({ id }) => id));
  return [
    ...passing.map(({ template, message }) => ({ task: template, reason: `passes untouched: ${message}` })),
    ...broken.map(({ template, reason }) => ({ task: template, reason: `its verifier breaks: ${reason}` })),
    ...unsteady.map(({ template, said }) => ({ task: template, reason: `its verifier wavers: ${said.join(' / ')}` })),
  ];
}

function idsOf(apps: readonly StudyApp[]): string {
  return apps.map(({ id }) => id).join(', ');
}
