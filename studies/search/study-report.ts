import type { GuideWeight } from './guide-weight.ts';
import type { Arm } from './search-study.ts';
import { arms } from './search-study.ts';
import { budgets, paper, type KindRow, type KindSum, type StudyTable } from './study-table.ts';

export const aboutArm: Readonly<Record<Arm, string>> = {
  words: 'search by words alone',
  guided: 'search guided by the student',
  student: 'the student alone',
};

/** Beside the list of them. */
const aboutLess =
  'The verifier passes, and the app holds nowhere what the instruction gives. They count as solved in no table; their rows are exported.';

/** The table as a page of Markdown, what matters most first. */
export function reportText(table: StudyTable): string {
  const { leftOut, lessThanAsked, problems } = table;
  const lines = [
    '# Search in pages',
    '',
    ...(table.isComplete ? [] : ['The study is not complete: these are the results so far.', '']),
    ...summary(table),
    '',
    '## Solved by kind',
    '',
    ...kindLines(table),
    '',
    '## By round',
    '',
    ...roundLines(table),
    '',
    '## Cost of the ways to solve held-out tasks',
    '',
    ...costLines(table),
    '',
    '## Training tasks by app',
    '',
    ...appLines(table.training),
    ...arms.flatMap(arm => ['', `## Held-out tasks by app: ${aboutArm[arm]}`, '', ...appLines(table.heldOut[arm])]),
    '',
    '## Tasks left out',
    '',
    ...(leftOut.length === 0 ? ['None.'] : leftOut.map(({ app, task, reason }) => `- ${app}/${task}: ${reason}`)),
    ...(lessThanAsked.length === 0 ? [] : ['', '## Paths that do less than asked', '', aboutLess, '']),
    ...lessThanAsked.map(({ task, missing }) => `- ${task}: ${missing.map(one => JSON.stringify(one)).join(', ')}`),
    ...(problems.length === 0 ? [] : ['', '## What broke', '']),
    ...problems.map(({ task, problem }) => `- ${task}: ${problem}`),
  ];
  return `${lines.join('\n')}\n`;
}

function summary(table: StudyTable): string[] {
  const { trajectories, tasksSolved, tasksTried, rows, nodes, verifierCalls, walked, overdue, seconds } = table;
  const { tour = 0 } = table.choices;
  // Rows are written at the end of a round; what was solved since is not among them.
  const whole = table.isComplete ? '' : ' at the end of the last round';
  const perHour = (count: number): number => Math.round((3600 * count) / Math.max(1, seconds));
  return [
    ...markdownTable(
      ['', 'this study', 'the paper'],
      [
        ['certified trajectories', trajectories, paper.trajectories],
        [`next-action rows${whole}`, rows, paper.rows],
        ['training tasks solved', `${tasksSolved} of ${tasksTried} tried`, ''],
        ['nodes', nodes, ''],
        ...(tour === 0 ? [] : [['clicks of a tour through each app, beside them', tour, '']]),
        ['verifier calls of searches', verifierCalls, ''],
        ['hours', (seconds / 3600).toFixed(2), ''],
        ['trajectories an hour', perHour(trajectories), ''],
        ...(table.isComplete ? [['rows an hour', perHour(rows), '']] : []),
      ],
    ),
    '',
    paper.notComparable,
    '',
    `${walked} pages were walked to again. ${overdue} searches ended because their time was over.`,
    '',
    `Solutions that change what another solution of the task leaves alone: ${table.withNeedlessChanges}. Nobody read the paths: where a verifier asks for less than the instruction, a path may do less.`,
  ];
}

const kindHeads = [
  'kind',
  'tasks',
  'tried',
  'solved',
  'share',
  '95 % interval',
  ...budgets.map(most => `≤ ${most} nodes`),
];

function kindLines({ kinds, heldOutKinds }: StudyTable): string[] {
  const cellsOf = (group: string, sums: readonly KindSum[]) =>
    sums
      .filter(({ tried }) => tried > 0)
      .map(({ kind, tasks, tried, solved, share, interval, within, target }) => [
        group,
        kind,
        tasks,
        tried,
        solved,
        percent(share),
        `${percent(interval.low)}–${percent(interval.high)}`,
        ...within,
        target === null ? '' : percent(target),
      ]);
  const cells = [
    ...cellsOf('training', kinds),
    ...arms.flatMap(arm => cellsOf(`held out: ${aboutArm[arm]}`, heldOutKinds[arm].knownApps)),
    ...arms.flatMap(arm => cellsOf(`held-out apps: ${aboutArm[arm]}`, heldOutKinds[arm].otherApps)),
  ];
  return cells.length === 0 ? ['None.'] : markdownTable(['', ...kindHeads, 'target'], cells);
}

/** The learning curve: what each round solved of what was left, and what its student knows. */
function roundLines({ rounds }: StudyTable): string[] {
  if (rounds.length === 0) return ['None.'];
  const heads = [
    'round',
    'tried',
    'tried before',
    'solved',
    'of those tried before',
    'nodes a task',
    'nodes',
    'verifier calls',
    'weight of its student',
    'log loss with what it learned',
  ];
  const cells = rounds.map(({ round, tried, solved, again, budgets: { least, most }, nodes, verifierCalls, guide }) => [
    round,
    tried,
    again.tried,
    solved,
    again.solved,
    least === most ? most : `${least}–${most}`,
    nodes,
    verifierCalls,
    guide === null ? '' : `${guide.knownApps.weight.toFixed(2)}, other apps ${guide.otherApps.weight.toFixed(2)}`,
    guide === null ? '' : `${lossText(guide.knownApps)}; other apps ${lossText(guide.otherApps)}`,
  ]);
  return markdownTable(heads, cells);
}

/** `0.66 (learned words), words alone 0.75`. */
function lossText({ mixed, words, usesLearned }: GuideWeight): string {
  return `${mixed.toFixed(2)}${usesLearned ? ' (learned words)' : ''}, words alone ${words.toFixed(2)}`;
}

function costLines({ costs }: StudyTable): string[] {
  if (costs.length === 0) return ['None.'];
  const heads = ['by', 'tried', 'solved', 'nodes', 'verifier calls', 'steps'];
  const cells = costs.map(({ arm, tried, solved, nodes, verifierCalls, steps }) => [
    aboutArm[arm],
    tried,
    solved,
    nodes,
    verifierCalls,
    steps,
  ]);
  return markdownTable(heads, cells);
}

function appLines(rows: readonly KindRow[]): string[] {
  if (rows.length === 0) return ['None.'];
  const heads = ['app', 'kind', 'tasks', 'tried', 'solved', ...budgets.map(most => `≤ ${most} nodes`)];
  const cells = rows.map(({ app, kind, tasks, tried, solved, within }) => [app, kind, tasks, tried, solved, ...within]);
  return markdownTable(heads, cells);
}

type Cells = readonly (string | number)[];

function markdownTable(heads: readonly string[], rows: readonly Cells[]): string[] {
  return [heads, heads.map(() => '---'), ...rows].map(row => `| ${row.join(' | ')} |`);
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}
