import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { invalidOption, type EspalierError } from '../../../src/core/errors.ts';
import type { Cost, CostLimit } from '../../../src/agents/page-search/cost-meter.ts';
import { keepOptions } from '../../../src/runs/folder/begun-options.ts';
import { runPaths } from '../../../src/runs/folder/folder.ts';
import { readResults, runSolver, type Solver, type TaskResult } from '../search-run.ts';
import {
  allTasks,
  brokenApp,
  nothingToStudy,
  requireHeldOut,
  rowsIn,
  workingApps,
  type BrokenApp,
  type SearchStudyOptions,
} from '../search-study.ts';
import { optionsFile } from '../study-choices.ts';
import { findApps, heldOutTasks, trainingTasks, type AppTasks, type StudyApp } from '../study-apps.ts';
import { makeMaps, type StudyMaps } from '../study-maps.ts';
import { createPhaseProgress } from '../study-progress.ts';
import { searchSolver, taughtSolver, type ArmOptions } from './arm-agents.ts';
import { costOfRun, sumCosts } from './arm-costs.ts';
import { contenderStudent, untrainedStudent, type ContenderStudent } from './contender-students.ts';

/** Runs that collect: what all begin with, then the search or the search as the teacher. */
type Collection = 'start' | 'search' | 'src';

/** Who solves held-out tasks in the end. The last three have not seen what is compared. */
export const contenders = ['search', 'imitation', 'src', 'start', 'untrained', 'random'] as const;
export type Contender = (typeof contenders)[number];

/** The runs that a contender has learned from and paid for. */
export const learnedFrom: Readonly<Record<Contender, readonly Collection[]>> = {
  search: ['start', 'search'],
  imitation: ['start', 'search'],
  src: ['start', 'src'],
  start: ['start'],
  untrained: [],
  random: [],
};

/** What became of a task of an app. */
export interface AppResult extends TaskResult {
  readonly app: string;
}

/** What runs came to. */
interface RunsSummary {
  readonly results: readonly AppResult[];
  readonly cost: Cost;
  readonly rows: number;
}

export interface Comparison {
  readonly choices: SearchStudyOptions['choices'];
  readonly trainingTasks: number;
  readonly collected: Readonly<Record<Collection, RunsSummary>>;
  readonly evaluated: Readonly<Record<Contender, RunsSummary>>;
  /** What the search spent after the start, and the search as the teacher may spend. */
  readonly budget: CostLimit;
  readonly brokenApps: readonly BrokenApp[];
  readonly isComplete: boolean;
}

export interface ComparisonOptions extends Omit<SearchStudyOptions, 'onResults'> {
  onResults?(comparison: Comparison): void;
}

interface Setting extends ComparisonOptions {
  readonly apps: readonly StudyApp[];
  readonly tasks: readonly AppTasks[];
  readonly brokenApps: BrokenApp[];
  readonly maps: StudyMaps;
  /** Stops what is under way in all apps; the comparison ends with this cause. */
  onFailure(cause: unknown): void;
}

/** Every so many training tasks, one is searched for all arms to begin with; which one is up to the seed. */
const startEvery = 3;

/**
 * Search alone, imitation of it, and SRC with the search as the teacher, at equal cost. All begin with the same searched
 * tasks. On the others the search spends what it needs, and SRC may spend as much.
 */
export async function runComparison(options: ComparisonOptions): Promise<Comparison> {
  const { choices, folder, signal } = options;
  if (choices.minutes !== null || choices.taskSeconds !== null) throw noTimes();
  const apps = findApps(choices.place, choices.apps);
  requireHeldOut(choices, apps);
  const brokenApps: BrokenApp[] = [];
  mkdirSync(folder, { recursive: true });
  const tasks = await allTasks(apps, options, brokenApps);
  const refusal = signal.aborted ? null : nothingToStudy(choices, tasks, brokenApps);
  if (refusal !== null) throw refusal;
  keepOptions(choices, { folder, path: optionsFile(folder), what: 'study' });
  const maps = await makeMaps(workingApps(apps, tasks), { ...options, clicks: choices.tour ?? 0 });
  const failed = new AbortController();
  const onFailure = (cause: unknown): void => failed.abort(cause);
  const stop = AbortSignal.any([signal, failed.signal]);
  const setting = { ...options, signal: stop, apps, tasks, brokenApps, maps, onFailure };
  const isComplete = await runAll(setting);
  failed.signal.throwIfAborted();
  const comparison = { ...summaryOf(setting), isComplete };
  options.onResults?.(comparison);
  return comparison;
}

async function runAll(setting: Setting): Promise<boolean> {
  const { nodes } = setting.choices;
  for (const name of ['start', 'search'] as const) {
    const solver: Work['solver'] = arm => searchSolver({ ...arm, round: 1, nodes });
    if (!(await collect(setting, { name, round: 1, tasks: tasksFor(setting, name), solver }))) return false;
    setting.onResults?.({ ...summaryOf(setting), isComplete: false });
  }
  if (!(await collectTaught(setting))) return false;
  for (const contender of contenders) {
    if (!(await evaluate(setting, contender))) return false;
    setting.onResults?.({ ...summaryOf(setting), isComplete: false });
  }
  return true;
}

type Tasks = ReadonlyMap<StudyApp, readonly string[]>;

function tasksFor({ apps, tasks, choices }: Setting, name: Collection): Tasks {
  const isStart = (at: number): boolean => (at - choices.seed + 1) % startEvery === 0;
  return new Map(
    apps.map(app => {
      const all = trainingTasks(tasks, app, choices.holdOut).map(({ id }) => id);
      return [app, all.filter((_, at) => isStart(at) === (name === 'start'))];
    }),
  );
}

interface Work {
  /** Also the name of its folder. */
  readonly name: string;
  readonly round: number;
  readonly tasks: Tasks;
  /** Null where nothing was learned. */
  solver(arm: Pick<ArmOptions, 'folder' | 'onNodes' | 'map'>): Promise<Solver | null>;
}

/** Runs episodes of as many apps at once as there are two pages for. False when it was stopped. */
async function collect(setting: Setting, { name, round, tasks, solver }: Work): Promise<boolean> {
  const { host, signal, choices, brokenApps, onProgress, onFailure } = setting;
  const total = [...tasks.values()].reduce((sum, own) => sum + own.length, 0);
  const progress = createPhaseProgress(round === 1 ? name : `${name}, round ${round}`, total, host.clock);
  const left = [...tasks].filter(([app, own]) => {
    const over = isOver(runFolder(setting, name, app), round, own);
    if (over) progress.endApp(app.id, own.length);
    return !over;
  });
  const atOnce = Math.max(1, Math.min(left.length, Math.floor(setting.pages / 2)));
  const pages = Math.max(1, Math.floor(setting.pages / atOnce));
  const solve = async ([app, own]: [StudyApp, readonly string[]]): Promise<boolean> => {
    const folder = runFolder(setting, name, app);
    const chosen = await solver({ folder, map: setting.maps.get(app.id) ?? null, onNodes: progress.addNodes });
    if (chosen === null) return true;
    mkdirSync(folder, { recursive: true });
    const isDone = await runSolver({
      folder,
      app,
      round,
      tasks: own,
      solver: chosen,
      seed: choices.seed,
      pages,
      host,
      signal,
      end: Infinity,
      onSearch: () => undefined,
      onProgress: counter => onProgress?.(progress.at(app.id, counter)),
    }).catch((cause: unknown) => {
      brokenApps.push(brokenApp(app, cause));
      return true;
    });
    if (isDone) progress.endApp(app.id, own.length);
    return isDone;
  };
  const next = left.values();
  const worker = async (): Promise<boolean> => {
    try {
      for (const work of next) if (signal.aborted || !(await solve(work)) || signal.aborted) return false;
      return true;
    } catch (cause) {
      if (!signal.aborted) onFailure(cause);
      return false;
    }
  };
  return (await Promise.all(Array.from({ length: atOnce }, worker))).every(isDone => isDone);
}

/** Nothing is asked of a student that has nothing left to do. */
function isOver(folder: string, round: number, tasks: readonly string[]): boolean {
  if (tasks.length === 0) return true;
  if (!existsSync(runPaths(folder).store)) return false;
  const ended = readResults(folder).filter(result => result.round === round);
  const settled = new Set(
    ended.flatMap(({ task, isCertified, outcome }) => (isCertified || outcome !== 'passed' ? [task] : [])),
  );
  return tasks.every(id => settled.has(id));
}

/** SRC in rounds of as many tasks as the rest of the budget surely covers; what they leave goes to the next round. */
async function collectTaught(setting: Setting): Promise<boolean> {
  const { nodes } = setting.choices;
  const budget = budgetOf(setting);
  for (let round = 1; ; round++) {
    const before = summaryOfRuns(setting, 'src', result => result.round < round);
    const left = leftOf(budget, before.cost);
    const tasks = nextTasks(
      setting,
      before.results,
      Math.max(1, Math.floor(Math.min(left.actions, left.verifierCalls) / nodes)),
    );
    const isSpent = isLittle(left.actions, budget.actions) || isLittle(left.verifierCalls, budget.verifierCalls);
    if (isSpent || [...tasks.values()].flat().length === 0) return true;
    const limit = { actions: Math.min(nodes, left.actions), verifierCalls: Math.min(nodes, left.verifierCalls) };
    const taught = once(() => (round === 1 ? train(setting, 'start') : train(setting, 'src', `src.round-${round}`)));
    const solver: Work['solver'] = async arm => {
      const { policy } = (await taught()) ?? {};
      return taughtSolver({ ...arm, round, nodes, student: policy ?? untrainedStudent(), limit });
    };
    if (!(await collect(setting, { name: 'src', round, tasks, solver }))) return false;
  }
}

/** The next tasks that are not solved, those that were tried least often first; apps take turns. */
function nextTasks(setting: Setting, before: readonly TaskResult[], most: number): Tasks {
  const all = tasksFor(setting, 'src');
  const solved = new Set(before.flatMap(({ task, isCertified }) => (isCertified ? [task] : [])));
  const tries = (id: string): number => before.filter(({ task }) => task === id).length;
  const turns = [...all.values()].flatMap(own => own.map((id, turn) => ({ id, turn })));
  const due = turns.filter(({ id }) => !solved.has(id) && tries(id) < setting.choices.rounds);
  const ordered = due.toSorted((left, right) => tries(left.id) - tries(right.id) || left.turn - right.turn);
  const chosen = new Set(ordered.slice(0, most).map(({ id }) => id));
  return new Map([...all].map(([app, own]) => [app, own.filter(id => chosen.has(id))]));
}

/**
 * With less than three, no task can be solved: a step, a finish, and the verdicts before and after. With less than a twentieth
 * of the budget, each task would be a round of its own, for which the student learns anew.
 */
function isLittle(left: number, budget: number): boolean {
  return left < Math.max(3, budget / 20);
}

function leftOf(budget: CostLimit, spent: Cost): CostLimit {
  return {
    actions: budget.actions - spent.nodes - spent.steps,
    verifierCalls: budget.verifierCalls - spent.verifierCalls,
  };
}

function budgetOf(setting: Setting): CostLimit {
  const { nodes, steps, verifierCalls } = summaryOfRuns(setting, 'search').cost;
  return { actions: nodes + steps, verifierCalls };
}

/** The student of a contender, trained on what it has collected. */
function train(setting: Setting, contender: Contender, name: string = contender): Promise<ContenderStudent | null> {
  const { apps, choices } = setting;
  const runs = learnedFrom[contender].flatMap(own => apps.map(app => runFolder(setting, own, app)));
  return contenderStudent({ ...setting, name, runs, seed: choices.seed, teach: choices.teach });
}

/** For apps that begin at once, and only when one does. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => (made ??= make());
}

/** Solves the held-out tasks, in runs of their own. */
async function evaluate(setting: Setting, contender: Contender): Promise<boolean> {
  const { apps, tasks: all, choices } = setting;
  const tasks = new Map(apps.map(app => [app, heldOutTasks(all, app, choices.holdOut).map(({ id }) => id)] as const));
  const isModel = choices.teach !== undefined;
  const strategy = { kind: 'linear' };
  const taught = once(() => train(setting, contender));
  const solver: Work['solver'] = async arm => {
    if (contender === 'search') return searchSolver({ ...arm, round: 1, nodes: choices.nodes });
    if (contender === 'random') return { kind: 'agents', student: { kind: 'random' }, strategy };
    if (contender === 'untrained' && !isModel)
      return { kind: 'agents', student: { kind: 'untrained', temperature: 0 }, strategy };
    return (await taught())?.solver ?? null;
  };
  return collect(setting, { name: evaluationName(contender), round: 1, tasks, solver });
}

const evaluationName = (contender: Contender): string => join('held-out', contender);

function runFolder({ folder }: Setting, name: string, { id }: StudyApp): string {
  return join(folder, name, id);
}

function summaryOfRuns(
  setting: Setting,
  name: string,
  isMeant: (result: TaskResult) => boolean = () => true,
): RunsSummary {
  const runs = setting.apps.map(app => {
    const folder = runFolder(setting, name, app);
    const results = existsSync(runPaths(folder).store) ? readResults(folder).filter(isMeant) : [];
    const own = results.map(result => ({ ...result, app: app.id }));
    return { results: own, cost: costOfRun(folder, results), rows: rowsIn(folder) };
  });
  return {
    results: runs.flatMap(({ results }) => results),
    cost: sumCosts(runs.map(({ cost }) => cost)),
    rows: runs.reduce((sum, { rows }) => sum + rows, 0),
  };
}

function summaryOf(setting: Setting): Omit<Comparison, 'isComplete'> {
  const { choices, apps, tasks, brokenApps } = setting;
  const collections = ['start', 'search', 'src'] as const;
  return {
    choices,
    trainingTasks: apps.reduce((sum, app) => sum + trainingTasks(tasks, app, choices.holdOut).length, 0),
    collected: Object.fromEntries(
      collections.map(name => [name, summaryOfRuns(setting, name)]),
    ) as unknown as Comparison['collected'],
    evaluated: Object.fromEntries(
      contenders.map(name => [name, summaryOfRuns(setting, evaluationName(name))]),
    ) as unknown as Comparison['evaluated'],
    budget: budgetOf(setting),
    brokenApps: [...brokenApps],
  };
}

function noTimes(): EspalierError {
  return invalidOption(
    '--compare counts actions and verifier calls, and knows no limit in time.',
    'Leave out --minutes and --task-seconds; fewer --nodes and --most take less time.',
  );
}
