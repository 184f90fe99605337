import type { Arm, SearchStudy } from './search-study.ts';
import { arms } from './search-study.ts';
import type { TaskResult } from './search-run.ts';
import type { LeftOut, StudyTask } from './study-apps.ts';

/** Budgets at which solved tasks are counted. */
export const budgets = [10, 100, 1000] as const;

/** Tasks of one kind in one app. */
export interface KindRow {
  readonly app: string;
  readonly kind: string;
  readonly tasks: number;
  readonly solved: number;
  /** Solved within 10, 100 and 1,000 nodes, rounds that found nothing included. */
  readonly within: readonly number[];
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
  readonly training: readonly KindRow[];
  readonly heldOut: Readonly<Record<Arm, readonly KindRow[]>>;
  readonly leftOut: readonly (LeftOut & { readonly app: string })[];
  readonly problems: readonly { readonly task: string; readonly problem: string }[];
  /** Solutions of which a longer form changed more than was needed. */
  readonly withNeedlessChanges: number;
  readonly paper: { readonly trajectories: number; readonly rows: number; readonly notComparable: string };
}

const paper = {
  trajectories: 977,
  rows: 9183,
  notComparable:
    'The paper had a large model as teacher and kept trajectories of speculative rollback correction. Here a search asks the verifier about every changed state, held-out tasks give no rows, and some screens need actions that the search does not try.',
};

export function tableOf(study: SearchStudy): StudyTable {
  const { choices, apps, training, heldOut, rows, seconds, isComplete, brokenApps } = study;
  const tasks = apps.flatMap(app => app.tasks);
  const all = [...training, ...arms.flatMap(arm => heldOut[arm])];
  const sum = (pick: (search: NonNullable<TaskResult['search']>) => number): number =>
    all.reduce((total, { search }) => total + (search === null ? 0 : pick(search)), 0);
  const isTrained = ({ app, isHeldOut }: StudyTask): boolean => !isHeldOut && !choices.holdOut.includes(app);
  const evaluated = tasks.filter(task => !isTrained(task));
  return {
    choices,
    trajectories: training.filter(({ isCertified }) => isCertified).length,
    tasksSolved: new Set(training.flatMap(({ task, isCertified }) => (isCertified ? [task] : []))).size,
    tasksTried: new Set(training.map(({ task }) => task)).size,
    rows,
    nodes: sum(({ nodes }) => nodes),
    verifierCalls: sum(({ verifierCalls }) => verifierCalls),
    walked: sum(({ walked }) => walked),
    overdue: all.filter(({ search }) => search?.isOverdue === true).length,
    seconds,
    isComplete,
    training: kindRows(tasks.filter(isTrained), training),
    heldOut: {
      words: kindRows(evaluated, heldOut.words),
      guided: kindRows(evaluated, heldOut.guided),
      student: kindRows(evaluated, heldOut.student),
    },
    leftOut: apps.flatMap(({ app, leftOut }) => leftOut.map(one => ({ app, ...one }))),
    problems: [
      ...brokenApps.map(({ app, problem }) => ({ task: `${app}, the whole app`, problem })),
      ...all.flatMap(({ task, problem }) => (problem === null ? [] : [{ task, problem }])),
    ],
    withNeedlessChanges: all.filter(({ search }) => (search?.needless.length ?? 0) > 0).length,
    paper,
  };
}

function kindRows(tasks: readonly StudyTask[], results: readonly TaskResult[]): readonly KindRow[] {
  if (results.length === 0) return [];
  const groups = Map.groupBy(tasks, ({ app, kind }) => `${app} ${kind}`);
  return [...groups.values()].map(group => {
    const [{ app, kind }] = group as [StudyTask, ...StudyTask[]];
    const costs = group.map(({ id }) => nodesToSolve(results.filter(({ task }) => task === id)));
    const within = (most: number): number => costs.filter(cost => cost !== null && cost <= most).length;
    return { app, kind, tasks: group.length, solved: within(Infinity), within: budgets.map(within) };
  });
}

/** Nodes of all searches up to the one that solved the task; null when none did. A student without search takes none. */
function nodesToSolve(results: readonly TaskResult[]): number | null {
  let nodes = 0;
  for (const { isCertified, search } of results.toSorted((a, b) => a.round - b.round)) {
    if (isCertified) return nodes + (search?.nodesToSolve ?? 0);
    nodes += search?.nodes ?? 0;
  }
  return null;
}

/** The table as a page of Markdown. */
export function reportText(table: StudyTable): string {
  const { trajectories, tasksSolved, tasksTried, rows, nodes, verifierCalls, walked, overdue, seconds, leftOut } =
    table;
  const perHour = (count: number): number => Math.round((3600 * count) / Math.max(1, seconds));
  const lines = [
    '# Search in pages',
    '',
    `${trajectories} certified trajectories on ${tasksSolved} of ${tasksTried} training tasks, ${rows} rows.`,
    `${nodes} nodes, ${verifierCalls} verifier calls, ${walked} pages walked again.`,
    `${Math.round(seconds)} seconds on this machine: ${perHour(trajectories)} trajectories and ${perHour(rows)} rows an hour.`,
    ...(overdue === 0 ? [] : [`${overdue} searches ended because their time was over.`]),
    ...(table.isComplete ? [] : ['The study is not complete: these are the results so far.']),
    '',
    `The paper: ${paper.trajectories} trajectories, ${paper.rows} rows. ${paper.notComparable}`,
    '',
    '## Training tasks',
    '',
    ...markdownRows(table.training),
    ...arms.flatMap(arm => ['', `## Held-out tasks: ${aboutArm[arm]}`, '', ...markdownRows(table.heldOut[arm])]),
    '',
    '## Tasks left out',
    '',
    ...(leftOut.length === 0 ? ['None.'] : leftOut.map(({ app, task, reason }) => `- ${app}/${task}: ${reason}`)),
    ...(table.problems.length === 0 ? [] : ['', '## What broke', '']),
    ...table.problems.map(({ task, problem }) => `- ${task}: ${problem}`),
  ];
  return `${lines.join('\n')}\n`;
}

export const aboutArm: Readonly<Record<Arm, string>> = {
  words: 'search by words alone',
  guided: 'search guided by the student',
  student: 'the student alone',
};

function markdownRows(rows: readonly KindRow[]): string[] {
  if (rows.length === 0) return ['None.'];
  const heads = ['app', 'kind', 'tasks', 'solved', ...budgets.map(most => `≤ ${most} nodes`)];
  const cells = rows.map(({ app, kind, tasks, solved, within }) => [app, kind, tasks, solved, ...within]);
  return [heads, heads.map(() => '---'), ...cells].map(row => `| ${row.join(' | ')} |`);
}
