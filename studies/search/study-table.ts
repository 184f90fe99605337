import { wilson, type Interval } from '../../src/analysis/stats.ts';
import type { GuideWeights } from './guide-weight.ts';
import type { Arm, SearchStudy } from './search-study.ts';
import { arms } from './search-study.ts';
import type { TaskResult } from './search-run.ts';
import { plannedRounds } from './study-stages.ts';
import { kindOrder } from './study-apps.ts';
import type { LeftOut, StudyTask } from './study-apps.ts';

/** Budgets at which solved tasks are counted. */
export const budgets = [10, 100, 1000] as const;

/** Tasks of one kind in one app. */
export interface KindRow {
  readonly app: string;
  readonly kind: string;
  readonly tasks: number;
  /** Those that time allowed to search. */
  readonly tried: number;
  readonly solved: number;
  /** Solved within 10, 100 and 1,000 nodes, rounds that found nothing included. */
  readonly within: readonly number[];
}

/** Tasks of one kind over several apps. */
export interface KindSum extends Omit<KindRow, 'app'> {
  /** Of those tried. */
  readonly share: number;
  readonly interval: Interval;
  /** What the study aims at; null where it aims at nothing. */
  readonly target: number | null;
}

/** What one round of search and training came to. */
interface RoundRow {
  readonly round: number;
  readonly tried: number;
  readonly solved: number;
  /** Tasks that an earlier round had tried, too: what the student adds shows in these alone. */
  readonly again: { readonly tried: number; readonly solved: number };
  readonly nodes: number;
  /** Least and most nodes that its searches were allowed. */
  readonly budgets: { readonly least: number; readonly most: number };
  readonly verifierCalls: number;
  /** How well the student after it foretells steps it was not trained on; null where there is none. */
  readonly guide: GuideWeights | null;
}

/** What one way to solve the held-out tasks cost and solved. */
interface ArmCost {
  readonly arm: Arm;
  readonly tried: number;
  readonly solved: number;
  readonly nodes: number;
  readonly verifierCalls: number;
  readonly steps: number;
}

/** What was found, as `study.json` has it. */
export interface StudyTable {
  readonly choices: SearchStudy['choices'];
  /** Passed and replayed in a fresh page. */
  readonly trajectories: number;
  readonly tasksSolved: number;
  readonly tasksTried: number;
  readonly rows: number;
  readonly nodes: number;
  readonly verifierCalls: number;
  /** Pages that were lost or could not be restored: their states were walked to again. */
  readonly walked: number;
  /** Searches that ended because their time was over. */
  readonly overdue: number;
  readonly seconds: number;
  readonly isComplete: boolean;
  /** Training tasks by kind, over all apps. */
  readonly kinds: readonly KindSum[];
  /** Held-out tasks of the apps that were trained on, and tasks of the others. */
  readonly heldOutKinds: Readonly<Record<Arm, Readonly<Record<'knownApps' | 'otherApps', readonly KindSum[]>>>>;
  readonly rounds: readonly RoundRow[];
  readonly costs: readonly ArmCost[];
  readonly training: readonly KindRow[];
  readonly heldOut: Readonly<Record<Arm, readonly KindRow[]>>;
  readonly leftOut: readonly (LeftOut & { readonly app: string })[];
  readonly problems: readonly { readonly task: string; readonly problem: string }[];
  /** Solutions, second and further ones included, that change what another solution of the task leaves alone. */
  readonly withNeedlessChanges: number;
  /** Solutions that leave out values which the instruction gives. They count as solved nowhere. */
  readonly lessThanAsked: readonly { readonly task: string; readonly missing: readonly string[] }[];
  readonly paper: { readonly trajectories: number; readonly rows: number; readonly notComparable: string };
}

export const paper = {
  trajectories: 977,
  rows: 9183,
  notComparable:
    'The paper had a large model as teacher and kept trajectories of speculative rollback correction. Here a search asks the verifier about every changed state, held-out tasks give no rows, and some screens need actions that the search does not try.',
};

export function tableOf(study: SearchStudy): StudyTable {
  const { choices, apps, training, heldOut, rows, seconds, isComplete, brokenApps } = study;
  const tasks = apps.flatMap(app => app.tasks);
  const all = [...training, ...arms.flatMap(arm => heldOut[arm]), ...study.heldOutBefore];
  const sum = (pick: (search: NonNullable<TaskResult['search']>) => number): number =>
    all.reduce((total, { search }) => total + (search === null ? 0 : pick(search)), 0);
  const isTrained = ({ app, isHeldOut }: StudyTask): boolean => !isHeldOut && !choices.holdOut.includes(app);
  const evaluated = tasks.filter(task => !isTrained(task));
  const inTraining = kindRows(tasks.filter(isTrained), training);
  const inArms = arms.map(arm => [arm, kindRows(evaluated, heldOut[arm])] as const);
  return {
    choices,
    trajectories: certified(training),
    tasksSolved: new Set(training.flatMap(result => (isSolved(result) ? [result.task] : []))).size,
    tasksTried: new Set(training.map(({ task }) => task)).size,
    rows,
    nodes: sum(({ nodes }) => nodes),
    verifierCalls: sum(({ verifierCalls }) => verifierCalls),
    walked: sum(({ walked }) => walked),
    overdue: all.filter(({ search }) => search?.isOverdue === true).length,
    seconds,
    isComplete,
    kinds: kindSums(inTraining),
    heldOutKinds: byArm(inArms, own => ({
      knownApps: kindSums(own.filter(({ app }) => !choices.holdOut.includes(app))),
      otherApps: kindSums(
        own.filter(({ app }) => choices.holdOut.includes(app)),
        otherAppTargets,
      ),
    })),
    rounds: roundRows(study),
    costs: arms.flatMap(arm => (heldOut[arm].length === 0 ? [] : [costOf(arm, heldOut[arm])])),
    training: inTraining,
    heldOut: byArm(inArms, own => own),
    leftOut: apps.flatMap(({ app, leftOut }) => leftOut.map(one => ({ app, ...one }))),
    problems: [
      ...brokenApps.map(({ app, problem }) => ({ task: `${app}, the whole app`, problem })),
      ...all.flatMap(({ task, problem }) => (problem === null ? [] : [{ task, problem }])),
    ],
    lessThanAsked: all.flatMap(result => (doesLess(result) ? [{ task: result.task, missing: missingIn(result) }] : [])),
    withNeedlessChanges: all.reduce((total, { search }) => total + needlessIn(search), 0),
    paper,
  };
}

function missingIn({ search }: TaskResult): readonly string[] {
  return search?.missing ?? [];
}

function doesLess(result: TaskResult): boolean {
  return result.isCertified && missingIn(result).length > 0;
}

function isSolved(result: TaskResult): boolean {
  return result.isCertified && !doesLess(result);
}

function needlessIn(search: TaskResult['search']): number {
  if (search === null) return 0;
  return [search, ...search.others].filter(({ needless }) => needless.length > 0).length;
}

function byArm<T>(
  inArms: readonly (readonly [Arm, readonly KindRow[]])[],
  make: (rows: readonly KindRow[]) => T,
): Readonly<Record<Arm, T>> {
  return Object.fromEntries(inArms.map(([arm, own]) => [arm, make(own)])) as Record<Arm, T>;
}

const targets: ReadonlyMap<string, number> = new Map([
  ['function', 0.7],
  ['easy', 0.4],
]);
/** Apps that nothing was learned from. */
const otherAppTargets: ReadonlyMap<string, number> = new Map([['function', 0.5]]);

/** Sums over apps, from easy to hard. */
function kindSums(rows: readonly KindRow[], aims = targets): readonly KindSum[] {
  const groups = Map.groupBy(rows, ({ kind }) => kind);
  const sums = [...groups].map(([kind, own]) => {
    const sum = (pick: (row: KindRow) => number): number => own.reduce((total, row) => total + pick(row), 0);
    const [tasks, tried, solved] = [sum(row => row.tasks), sum(row => row.tried), sum(row => row.solved)];
    return {
      kind,
      tasks,
      tried,
      solved,
      within: budgets.map((_, at) => sum(row => row.within[at] as number)),
      share: tried === 0 ? 0 : solved / tried,
      interval: wilson(solved, tried),
      target: aims.get(kind) ?? null,
    };
  });
  return sums.toSorted((left, right) => kindOrder.indexOf(left.kind) - kindOrder.indexOf(right.kind));
}

function roundRows({ choices, training, guides }: SearchStudy): readonly RoundRow[] {
  return plannedRounds(choices)
    .map(({ round: name, number }, at) => {
      const own = training.filter(({ round }) => round === number);
      const before = new Set(training.flatMap(({ round, task }) => (round < number ? [task] : [])));
      const again = own.filter(({ task }) => before.has(task));
      const allowed = own.map(({ search }) => search?.budget ?? choices.nodes);
      return {
        round: name,
        tried: own.length,
        solved: certified(own),
        again: { tried: again.length, solved: certified(again) },
        nodes: own.reduce((sum, { search }) => sum + (search?.nodes ?? 0), 0),
        budgets: { least: Math.min(...allowed), most: Math.max(...allowed) },
        verifierCalls: own.reduce((sum, { search }) => sum + (search?.verifierCalls ?? 0), 0),
        guide: guides[at] ?? null,
      };
    })
    .filter(({ tried }) => tried > 0);
}

function certified(results: readonly TaskResult[]): number {
  return results.filter(isSolved).length;
}

function costOf(arm: Arm, results: readonly TaskResult[]): ArmCost {
  const sum = (pick: (result: TaskResult) => number): number => results.reduce((total, one) => total + pick(one), 0);
  return {
    arm,
    tried: results.length,
    solved: certified(results),
    nodes: sum(({ search }) => search?.nodes ?? 0),
    // A student without search is judged once, at its end.
    verifierCalls: sum(({ search }) => search?.verifierCalls ?? 1),
    steps: sum(({ steps }) => steps),
  };
}

function kindRows(tasks: readonly StudyTask[], results: readonly TaskResult[]): readonly KindRow[] {
  if (results.length === 0) return [];
  const groups = Map.groupBy(tasks, ({ app, kind }) => `${app} ${kind}`);
  return [...groups.values()].map(group => {
    const [{ app, kind }] = group as [StudyTask, ...StudyTask[]];
    const own = group.map(({ id }) => results.filter(({ task }) => task === id));
    const costs = own.map(nodesToSolve);
    const tried = own.filter(found => found.length > 0).length;
    const within = (most: number): number => costs.filter(cost => cost !== null && cost <= most).length;
    return { app, kind, tasks: group.length, tried, solved: within(Infinity), within: budgets.map(within) };
  });
}

/** Nodes of all searches up to the one that solved the task; null when none did. A student without search takes none. */
function nodesToSolve(results: readonly TaskResult[]): number | null {
  let nodes = 0;
  for (const result of results.toSorted((a, b) => a.round - b.round)) {
    const { search } = result;
    if (isSolved(result)) return nodes + (search?.nodesToSolve ?? 0);
    nodes += search?.nodes ?? 0;
  }
  return null;
}
