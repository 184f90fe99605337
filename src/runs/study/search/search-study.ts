import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { EspalierError } from '../../../core/errors.ts';
import { manifestName, type Manifest } from '../../../dataset/manifest.ts';
import { exportRun } from '../../export.ts';
import { keepOptions } from '../../folder/begun-options.ts';
import { readJson, runPaths, writeWhole } from '../../folder/folder.ts';
import type { Host } from '../../host.ts';
import type { ProgressCounter } from '../../plan/progress-counter.ts';
import { trainFromExport } from '../../train.ts';
import { readResults, runSolver, type Solver, type TaskResult } from './search-run.ts';
import { findApps, readTasks, type AppTasks, type StudyApp, type StudyTask } from './study-apps.ts';

/** What determines a study; written down when it begins. */
export interface SearchStudyChoices {
  /** Folder of apps, one app folder, or an environment with pages. */
  readonly place: string;
  /** Names of apps; all when null. */
  readonly apps: readonly string[] | null;
  /** Kinds of tasks: `function`, `easy`, `medium`, `hard`; all when null. */
  readonly kinds: readonly string[] | null;
  /** Tasks of each app; all when null. */
  readonly most: number | null;
  readonly nodes: number;
  readonly rounds: number;
  /** Apps that are never trained on. */
  readonly holdOut: readonly string[];
  readonly seed: number;
}

export interface SearchStudyOptions {
  readonly choices: SearchStudyChoices;
  readonly folder: string;
  /** Pages at once. */
  readonly pages: number;
  readonly host: Host;
  readonly signal: AbortSignal;
  onProgress?(about: string, meter: ProgressCounter): void;
}

/** How held-out tasks are solved in the end. */
export const arms = ['words', 'guided', 'student'] as const;
export type Arm = (typeof arms)[number];

export interface SearchStudy {
  readonly choices: SearchStudyChoices;
  readonly apps: readonly AppTasks[];
  readonly heldOutApps: readonly string[];
  /** Training tasks, by round. */
  readonly training: readonly TaskResult[];
  /** Held-out tasks and apps, by arm. */
  readonly heldOut: Readonly<Record<Arm, readonly TaskResult[]>>;
  readonly rows: number;
  /** Null for a study that was gone on with: earlier starts are not known. */
  readonly seconds: number | null;
}

interface Setting extends SearchStudyOptions {
  readonly studyApps: readonly StudyApp[];
  readonly tasks: readonly AppTasks[];
}

/** Expert iteration: solve, train on what passed, solve what is left with the student's help. Null when it was stopped. */
export async function runSearchStudy(options: SearchStudyOptions): Promise<SearchStudy | null> {
  const { choices, folder, host, signal } = options;
  const started = host.clock.now();
  const studyApps = findApps(choices.place, choices.apps);
  requireHeldOut(choices, studyApps);
  mkdirSync(folder, { recursive: true });
  const isResumed = existsSync(optionsFile(folder));
  keepOptions(choices, { folder, path: optionsFile(folder), what: 'study' });
  const tasks: AppTasks[] = [];
  for (const app of studyApps) {
    tasks.push(await tasksOnce(app, options));
    if (signal.aborted) return null;
  }
  const setting = { ...options, studyApps, tasks };
  for (let round = 1; round <= choices.rounds; round++) if (!(await runRound(setting, round))) return null;
  for (const arm of arms) if (!(await runArm(setting, arm))) return null;
  return { ...summaryOf(setting), seconds: isResumed ? null : (host.clock.now() - started) / 1000 };
}

export function optionsFile(folder: string): string {
  return join(folder, 'study-options.json');
}

function requireHeldOut({ holdOut, place }: SearchStudyChoices, apps: readonly StudyApp[]): void {
  const unknown = holdOut.find(id => !apps.some(app => app.id === id));
  if (unknown !== undefined)
    throw invalid(
      `There is no app "${unknown}" to hold out in ${place}.`,
      `Expected some of: ${apps.map(({ id }) => id).join(', ')}.`,
    );
  if (holdOut.length === apps.length)
    throw invalid('Every app is held out: there is nothing to train on.', 'Hold out fewer apps.');
}

/** The verifiers of an app are tried once in a study. */
async function tasksOnce(app: StudyApp, { folder, host, choices }: SearchStudyOptions): Promise<AppTasks> {
  const file = join(folder, `tasks.${app.id}.json`);
  if (existsSync(file)) return readJson(file) as AppTasks;
  const { kinds, most } = choices;
  const read = await readTasks(app, { host, kinds, most });
  writeWhole(file, `${JSON.stringify(read, null, 2)}\n`);
  return read;
}

function trainingTasks({ choices, tasks }: Setting, app: StudyApp): readonly StudyTask[] {
  if (choices.holdOut.includes(app.id)) return [];
  return tasksOf(tasks, app).filter(({ isHeldOut }) => !isHeldOut);
}

function heldOutTasks({ choices, tasks }: Setting, app: StudyApp): readonly StudyTask[] {
  return tasksOf(tasks, app).filter(({ isHeldOut }) => isHeldOut || choices.holdOut.includes(app.id));
}

function tasksOf(tasks: readonly AppTasks[], { id }: StudyApp): readonly StudyTask[] {
  return tasks.find(({ app }) => app === id)?.tasks ?? [];
}

/** Searches the tasks that no earlier round has solved, app by app, and trains a student on all that passed. */
async function runRound(setting: Setting, round: number): Promise<boolean> {
  const { choices, folder, studyApps } = setting;
  const guide = studentBefore(folder, round);
  for (const app of studyApps) {
    const run = join(folder, app.id);
    const solved = new Set(
      resultsOf(run).flatMap(({ task, isCertified, round: earlier }) => (isCertified && earlier < round ? [task] : [])),
    );
    const tasks = trainingTasks(setting, app).flatMap(({ id }) => (solved.has(id) ? [] : [id]));
    const solver: Solver = { kind: 'search', nodes: choices.nodes, guide };
    if (!(await solve(setting, { app, run, round, tasks, solver }))) return false;
  }
  await trainAfter(setting, round);
  return true;
}

interface Work {
  readonly app: StudyApp;
  readonly run: string;
  readonly round: number;
  readonly tasks: readonly string[];
  readonly solver: Solver;
}

async function solve(setting: Setting, { app, run, round, tasks, solver }: Work): Promise<boolean> {
  if (tasks.length === 0) return true;
  const { choices, pages, host, signal, onProgress } = setting;
  const about = `${app.id}, round ${round}`;
  return runSolver({
    folder: run,
    app,
    round,
    tasks,
    solver,
    seed: choices.seed,
    pages,
    host,
    signal,
    onProgress: meter => onProgress?.(about, meter),
  });
}

/** The student of the last round that had something to learn from; null for none. */
function studentBefore(folder: string, round: number): string | null {
  for (let earlier = round - 1; earlier > 0; earlier--) {
    const file = studentFile(folder, earlier);
    if (existsSync(file)) return file;
  }
  return null;
}

export function studentFile(folder: string, round: number): string {
  return join(folder, `student.round-${round}.json`);
}

async function trainAfter({ folder, studyApps, host, choices }: Setting, round: number): Promise<void> {
  const out = studentFile(folder, round);
  if (existsSync(out)) return;
  const runs = studyApps.map(({ id }) => join(folder, id)).filter(run => existsSync(runPaths(run).store));
  for (const run of runs) await exportRun({ folder: run, host, formats: ['jsonl'] });
  const hasSolved = runs.some(run => resultsOf(run).some(({ isCertified }) => isCertified));
  if (hasSolved) trainFromExport({ folders: runs, seed: choices.seed, host, out });
}

/** Solves the held-out tasks in runs of their own: nothing of them is ever exported for training. */
async function runArm(setting: Setting, arm: Arm): Promise<boolean> {
  const { choices, folder, studyApps } = setting;
  const student = studentBefore(folder, choices.rounds + 1);
  if (student === null && arm !== 'words') return true;
  for (const app of studyApps) {
    const tasks = heldOutTasks(setting, app).map(({ id }) => id);
    const run = armFolder(folder, arm, app.id);
    const solver: Solver =
      arm === 'student'
        ? { kind: 'student', file: student as string }
        : { kind: 'search', nodes: choices.nodes, guide: arm === 'guided' ? student : null };
    if (!(await solve(setting, { app, run, round: 1, tasks, solver }))) return false;
  }
  return true;
}

function armFolder(folder: string, arm: Arm, app: string): string {
  return join(folder, 'held-out', arm, app);
}

function resultsOf(run: string): readonly TaskResult[] {
  return existsSync(runPaths(run).store) ? readResults(run) : [];
}

function summaryOf({ choices, folder, studyApps, tasks }: Setting): Omit<SearchStudy, 'seconds'> {
  const inArm = (arm: Arm): readonly TaskResult[] =>
    studyApps.flatMap(({ id }) => resultsOf(armFolder(folder, arm, id)));
  return {
    choices,
    apps: tasks,
    heldOutApps: choices.holdOut,
    training: studyApps.flatMap(({ id }) => resultsOf(join(folder, id))),
    heldOut: { words: inArm('words'), guided: inArm('guided'), student: inArm('student') },
    rows: studyApps.reduce((sum, { id }) => sum + rowsIn(join(folder, id)), 0),
  };
}

/** Next-action rows of an export. */
function rowsIn(run: string): number {
  const manifest = join(runPaths(run).export, manifestName);
  if (!existsSync(manifest)) return 0;
  const { files } = readJson(manifest) as Pick<Manifest, 'files'>;
  return files.find(({ table }) => table === 'next-actions')?.rows ?? 0;
}

function invalid(message: string, expected: string): EspalierError {
  return new EspalierError({ boundary: 'input', code: 'invalid-option', message, expected });
}
