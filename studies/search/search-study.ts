import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Action } from '../../src/core/action.ts';
import { causeText, EspalierError, invalidOption } from '../../src/core/errors.ts';
import { splitSchema, type Split } from '../../src/core/records.ts';
import { manifestName, type Manifest } from '../../src/dataset/rows/manifest.ts';
import { exportRun } from '../../src/runs/export.ts';
import { keepOptions } from '../../src/runs/folder/begun-options.ts';
import { readJson } from '../../src/modules/read-file.ts';
import { runPaths } from '../../src/runs/folder/folder.ts';
import type { Host } from '../../src/runs/host/host.ts';
import type { GuideWeights } from './guide-weight.ts';
import { priorName, readResults, runSolver, type Solver, type TaskResult } from './search-run.ts';
import { roundTasks } from './round-tasks.ts';
import { optionsFile, type SearchStudyChoices } from './study-choices.ts';
import { createStudyBudget, createTimeShares, type StudyBudget, type StudyPhase } from './study-budget.ts';
import { createPhaseProgress, createStudyTime, type PhaseProgress, type StudyProgress } from './study-progress.ts';
import { makeMaps, type StudyMaps } from './study-maps.ts';
import { givenGuide, guideFor, studentSolver, type GivenGuide } from './study-guide.ts';
import { studentBefore, studentFile, trainOnSolutions, weightsOf } from './study-students.ts';
import { armName, lastArm, lastOf, plannedRounds, stagesOf, type PlannedRound } from './study-stages.ts';
import {
  findApps,
  heldOutTasks,
  ofKinds,
  readTasksOnce,
  trainingTasks,
  workOnApps,
  type AppTasks,
  type StudyApp,
} from './study-apps.ts';

export interface SearchStudyOptions {
  readonly choices: SearchStudyChoices;
  readonly folder: string;
  /** Pages at once. */
  readonly pages: number;
  readonly host: Host;
  readonly signal: AbortSignal;
  onProgress?(progress: StudyProgress): void;
  /** Told of every click of the tours that come first. */
  onTour?(app: StudyApp, clicks: number): void;
  /** Given what is known so far, whenever an app has ended and when the study is stopped. */
  onResults?(study: SearchStudy): void;
}

/** How held-out tasks are solved in the end. */
export const arms = ['words', 'guided', lastArm] as const;
export type Arm = (typeof arms)[number];

export interface SearchStudy {
  readonly choices: SearchStudyChoices;
  readonly apps: readonly AppTasks[];
  readonly heldOutApps: readonly string[];
  /** Training tasks, by round. */
  readonly training: readonly TaskResult[];
  /** Held-out tasks and apps, by arm. */
  readonly heldOut: Readonly<Record<Arm, readonly TaskResult[]>>;
  /** What earlier students came to on held-out tasks, before there were more rounds. */
  readonly heldOutBefore: readonly TaskResult[];
  readonly rows: number;
  /** What the student of each round weighs in a search; null where there was nothing to learn from. */
  readonly guides: readonly (GuideWeights | null)[];
  /** Apps that could not be run, in this start of the study. */
  readonly brokenApps: readonly BrokenApp[];
  /** Of all starts of the study. */
  readonly seconds: number;
  /** Whether all rounds and all evaluations are done. */
  readonly isComplete: boolean;
}

export interface BrokenApp {
  readonly app: string;
  readonly problem: string;
}

interface Setting extends SearchStudyOptions {
  readonly studyApps: readonly StudyApp[];
  readonly tasks: readonly AppTasks[];
  readonly brokenApps: BrokenApp[];
  /** What guides searches in the place of the students that are trained; null for those. */
  readonly given: GivenGuide | null;
  /** What the runs hold, read once until they go on. */
  readonly results: Map<string, readonly TaskResult[]>;
  readonly maps: StudyMaps;
}

/** Expert iteration: solve, train on what passed, solve what is left with the student's help. Incomplete when it was stopped. */
export async function runSearchStudy(options: SearchStudyOptions): Promise<SearchStudy> {
  const { choices, folder, host, onResults } = options;
  const studyApps = findApps(choices.place, choices.apps);
  requireHeldOut(choices, studyApps);
  mkdirSync(folder, { recursive: true });
  const isNew = !existsSync(optionsFile(folder));
  keepOptions(choices, { folder, path: optionsFile(folder), what: 'study' });
  const time = createStudyTime(folder, host.clock);
  const brokenApps: BrokenApp[] = [];
  const tasks = await allTasks(studyApps, options, brokenApps);
  const refusal = options.signal.aborted ? null : nothingToStudy(choices, tasks, brokenApps);
  if (refusal !== null) {
    // A mistyped name must not bind the folder to its options.
    if (isNew) rmSync(optionsFile(folder));
    throw refusal;
  }
  const given = await givenGuide(choices);
  const maps = await makeMaps(workingApps(studyApps, tasks), { ...options, clicks: choices.tour ?? 0 });
  const setting = { ...options, studyApps, tasks, brokenApps, given, results: new Map(), maps };
  const summary = (isComplete: boolean): SearchStudy => ({ ...summaryOf(setting), seconds: time.save(), isComplete });
  const onAppEnd = (): void => onResults?.(summary(false));
  const { minutes } = choices;
  const { clock } = host;
  const budget = createStudyBudget({ folder, minutes, phases: phasesOf(choices), clock, seconds: time.seconds });
  const isComplete = await runPhases({ ...setting, budget, onAppEnd });
  const study = summary(isComplete);
  onResults?.(study);
  return study;
}

/** Most of the time goes to the searches that are trained on. */
function phasesOf(choices: SearchStudyChoices): readonly StudyPhase[] {
  const inRounds = plannedRounds(choices).map(({ round, share, others }) => [
    { name: roundName(round), share: 6 * share },
    ...others.map((_, other) => ({ name: solutionName(round, other + 1), share })),
  ]);
  const ofArms = arms.map(arm => ({ name: armName(choices, arm), share: arm === 'student' ? 1 : 1.5 }));
  return [...inRounds.flat(), ...ofArms];
}

const roundName = (round: number): string => `round ${round}`;
const solutionName = (round: number, other: number): string => `round ${round}, solution ${other + 1}`;

async function runPhases(setting: Running): Promise<boolean> {
  const { choices, signal } = setting;
  for (const round of plannedRounds(choices)) {
    if (!(await runRound(setting, round)) || signal.aborted) return false;
  }
  for (const arm of arms) if (!(await runArm(setting, arm)) || signal.aborted) return false;
  return true;
}

/** An app that cannot be read is left out of this start, and named. */
export async function allTasks(
  apps: readonly StudyApp[],
  { choices, folder, pages, host, signal }: Omit<SearchStudyOptions, 'onResults'>,
  brokenApps: BrokenApp[],
): Promise<readonly AppTasks[]> {
  const { kinds, most } = choices;
  const kindsBefore = stagesOf(choices)[0]?.kinds ?? null;
  // Verifiers of one app run two at a time.
  const read = await workOnApps(apps, { atOnce: Math.ceil(pages / 2), signal }, app =>
    readTasksOnce(app, folder, { host, kinds, kindsBefore, most }).catch((cause: unknown) => brokenApp(app, cause)),
  );
  brokenApps.push(...read.filter(found => 'problem' in found));
  return read.filter(found => 'tasks' in found);
}

/** Why there is no task to search; null when there are some. */
export function nothingToStudy(
  { place, kinds }: SearchStudyChoices,
  tasks: readonly AppTasks[],
  brokenApps: readonly BrokenApp[],
): EspalierError | null {
  if (tasks.some(own => own.tasks.length > 0)) return null;
  const problems = brokenApps.map(({ app, problem }) => `${app}: ${problem}`);
  if (problems.length > 0)
    return invalidOption(
      `No app of ${place} can be studied. ${problems.join(' ')}`,
      'Expected a folder of WebArena-Infinity apps, or an environment with pages such as miniwob:<folder>.',
    );
  const meant = kinds === null ? '' : ` of the kind ${kinds.join(' or ')}`;
  return invalidOption(`${place} has no task${meant} to search.`, 'Expected tasks whose verifier can be used.');
}

/** Those whose tasks could be read. */
export function workingApps(apps: readonly StudyApp[], tasks: readonly AppTasks[]): readonly StudyApp[] {
  return apps.filter(({ id }) => tasks.some(({ app }) => app === id));
}

/** Throws what is wrong with more than one app. */
export function brokenApp({ id }: StudyApp, cause: unknown): BrokenApp {
  if (!(cause instanceof EspalierError) || cause.boundary === 'store') throw cause;
  return { app: id, problem: causeText(cause) };
}

export function requireHeldOut({ holdOut, place }: SearchStudyChoices, apps: readonly StudyApp[]): void {
  const unknown = holdOut.find(id => !apps.some(app => app.id === id));
  if (unknown !== undefined)
    throw invalidOption(
      `There is no app "${unknown}" to hold out in ${place}.`,
      `Expected some of: ${apps.map(({ id }) => id).join(', ')}.`,
    );
  if (holdOut.length === apps.length)
    throw invalidOption('Every app is held out: there is nothing to train on.', 'Hold out fewer apps.');
}

interface Running extends Setting {
  readonly budget: StudyBudget;
  onAppEnd(): void;
}

/** Searches the tasks that no earlier round has solved, app by app, and trains a student on all that passed. */
async function runRound(setting: Running, planned: PlannedRound): Promise<boolean> {
  const { round, number, others, stage } = planned;
  const { choices, folder, studyApps } = setting;
  const student = studentBefore(folder, round);
  const { nodes, taskSeconds: seconds } = choices;
  const { solutions, deepen = 1 } = stage;
  const works = studyApps.map(app => {
    const run = join(folder, app.id);
    const before = resultsOf(setting, run).filter(result => result.round < number);
    const own = ofKinds(trainingTasks(setting.tasks, app, choices.holdOut), stage.kinds);
    const guide = guideFor(setting, student, app.id);
    const map = setting.maps.get(app.id) ?? null;
    const budgets = roundTasks({ tasks: own, before, nodes, deepen, prior: priorName(guide, map) });
    const solver = { kind: 'search', nodes, budgets, guide, map, seconds, solutions } as const;
    return { app, run, round: number, tasks: [...budgets.keys()], solver };
  });
  if (!(await solveAll(setting, roundName(round), works))) return false;
  for (const [at, other] of others.entries()) {
    const further = works.map(work => otherSolutions(setting, work, { at, number: other }));
    if (!(await solveAll(setting, solutionName(round, at + 1), further))) return false;
  }
  await trainAfter(setting, round);
  return true;
}

interface OtherSolution {
  /** From 0, the solution that was walked first left out. */
  readonly at: number;
  /** Round of its episodes. */
  readonly number: number;
}

/** Walks the second, third, … solution of the tasks that a round has solved. */
function otherSolutions(setting: Setting, { app, run, round }: Work, { at, number }: OtherSolution): Work {
  const paths = new Map<string, readonly Action[]>();
  for (const { task, isCertified, search, round: solved } of resultsOf(setting, run)) {
    const actions = search?.others[at]?.actions;
    if (solved === round && isCertified && actions !== undefined) paths.set(task, actions);
  }
  return { app, run, round: number, tasks: [...paths.keys()], solver: { kind: 'paths', paths } };
}

interface Work {
  readonly app: StudyApp;
  readonly run: string;
  readonly round: number;
  readonly tasks: readonly string[];
  readonly solver: Solver;
}

/** Works on one app after the other. False when it was stopped. */
async function solveAll(setting: Running, phase: string, works: readonly Work[]): Promise<boolean> {
  const { host, budget, onAppEnd, brokenApps, results } = setting;
  if (budget.isEnded(phase)) return true;
  const due = leastTriedFirst(
    setting,
    works.filter(({ tasks }) => tasks.length > 0),
  );
  const total = due.reduce((sum, { tasks }) => sum + tasks.length, 0);
  const endOfNext = createTimeShares(budget.endOf(phase), total);
  const progress = createPhaseProgress(phase, total, host.clock);
  for (const work of due) {
    const end = endOfNext(work.tasks.length, host.clock.now());
    const isDone = await solve(setting, { ...work, end }, progress).catch((cause: unknown) => {
      brokenApps.push(brokenApp(work.app, cause));
      return true;
    });
    results.delete(work.run);
    if (!isDone) return false;
    progress.endApp(work.app.id, work.tasks.length);
    onAppEnd();
  }
  budget.end(phase);
  return true;
}

/** Where time is short, the apps that it did not suffice for come first the next time. */
function leastTriedFirst(setting: Setting, works: readonly Work[]): readonly Work[] {
  const shares = new Map(
    works.map(work => {
      const all = setting.tasks.find(({ app }) => app === work.app.id)?.tasks.length ?? 1;
      return [work, new Set(resultsOf(setting, work.run).map(({ task }) => task)).size / all];
    }),
  );
  return works.toSorted((left, right) => (shares.get(left) ?? 0) - (shares.get(right) ?? 0));
}

function solve(setting: Running, work: Work & { readonly end: number }, progress: PhaseProgress): Promise<boolean> {
  const { choices, pages, host, signal, onProgress } = setting;
  const { run: folder, ...rest } = work;
  return runSolver({
    ...rest,
    folder,
    seed: choices.seed,
    pages,
    host,
    signal,
    onSearch: ({ nodes }) => progress.addNodes(nodes),
    onProgress: counter => onProgress?.(progress.at(work.app.id, counter)),
  });
}

/** Its list of tasks says what a study trains on: one that was begun with another split goes on with that. */
export const anySplit: readonly Split[] = splitSchema.options;

async function trainAfter(setting: Setting, round: number): Promise<void> {
  const { folder, studyApps, host, choices } = setting;
  const out = studentFile(folder, round);
  if (existsSync(out)) return;
  const runs = studyApps.map(({ id }) => ({ app: id, folder: join(folder, id) }));
  const begun = runs.filter(run => existsSync(runPaths(run.folder).store));
  for (const run of begun) await exportRun({ folder: run.folder, host, formats: ['jsonl'], splits: anySplit });
  const hasSolved = begun.some(run => resultsOf(setting, run.folder).some(({ isCertified }) => isCertified));
  if (hasSolved) await trainOnSolutions(begun, { seed: choices.seed, host, out });
}

/** Solves the held-out tasks in runs of their own: nothing of them is ever exported for training. */
async function runArm(setting: Running, arm: Arm): Promise<boolean> {
  const { choices, folder, studyApps, given } = setting;
  const student = studentBefore(folder, choices.rounds + 1);
  if (student === null && given === null && arm !== 'words') return true;
  const { nodes, taskSeconds: seconds } = choices;
  const solverFor = (app: StudyApp): Solver => {
    if (arm === 'student') return studentSolver(given?.file ?? (student as string));
    const guide = arm === 'guided' ? guideFor(setting, student, app.id) : null;
    const map = setting.maps.get(app.id) ?? null;
    return { kind: 'search', nodes, guide, map, seconds, solutions: 1 };
  };
  const round = stagesOf(choices).length;
  const works = studyApps.map(app => {
    const tasks = armTasks(setting, arm, app);
    return { app, run: armFolder(folder, arm, app.id), round, tasks, solver: solverFor(app) };
  });
  return solveAll(setting, armName(choices, arm), works);
}

/**
 * Where time is short, all arms solve the tasks that the first one came to. That one goes by words alone: what it tried before
 * there were more rounds stays as it is.
 */
function armTasks(setting: Setting, arm: Arm, app: StudyApp): readonly string[] {
  const { choices, folder } = setting;
  const tasks = ofKinds(heldOutTasks(setting.tasks, app, choices.holdOut), choices.kinds);
  const byWords = resultsOf(setting, armFolder(folder, 'words', app.id));
  const triedIn = (results: readonly TaskResult[]) => new Set(results.map(({ task }) => task));
  if (arm === 'words') {
    const before = triedIn(byWords.filter(({ round }) => round < stagesOf(choices).length));
    return tasks.filter(id => !before.has(id));
  }
  const tried = triedIn(byWords);
  return choices.minutes === null ? tasks : tasks.filter(id => tried.has(id));
}

function armFolder(folder: string, arm: Arm, app: string): string {
  return join(folder, 'held-out', arm, app);
}

function resultsOf({ results }: Setting, run: string): readonly TaskResult[] {
  const known = results.get(run);
  if (known !== undefined) return known;
  const read = existsSync(runPaths(run).store) ? readResults(run) : [];
  results.set(run, read);
  return read;
}

function summaryOf(setting: Setting): Omit<SearchStudy, 'seconds' | 'isComplete'> {
  const { choices, folder, studyApps, tasks, brokenApps } = setting;
  const inArm = (arm: Arm): readonly TaskResult[] =>
    studyApps.flatMap(({ id }) => resultsOf(setting, armFolder(folder, arm, id)));
  const [guided, alone] = [lastOf(inArm('guided')), lastOf(inArm('student'))];
  return {
    choices,
    apps: tasks,
    heldOutApps: choices.holdOut,
    training: studyApps.flatMap(({ id }) => resultsOf(setting, join(folder, id))),
    heldOut: { words: inArm('words'), guided: guided.last, student: alone.last },
    heldOutBefore: [...guided.before, ...alone.before],
    rows: studyApps.reduce((sum, { id }) => sum + rowsIn(join(folder, id)), 0),
    guides: Array.from({ length: choices.rounds }, (_, at) => {
      const student = studentFile(folder, at + 1);
      return existsSync(student) ? weightsOf(student) : null;
    }),
    brokenApps: [...brokenApps],
  };
}

/** Next-action rows of an export. */
export function rowsIn(run: string): number {
  const manifest = join(runPaths(run).export, manifestName);
  if (!existsSync(manifest)) return 0;
  const { files } = readJson(manifest) as Pick<Manifest, 'files'>;
  return files.find(({ table }) => table === 'next-actions')?.rows ?? 0;
}
