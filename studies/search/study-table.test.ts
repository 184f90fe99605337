import { describe, expect, it } from 'vitest';
import type { SearchStudy } from './search-study.ts';
import { problemOf, type TaskResult } from './search-run.ts';
import type { StudyTask } from './study-apps.ts';
import { reportText } from './study-report.ts';
import { tableOf } from './study-table.ts';

function task(app: string, name: string, more: Partial<StudyTask> = {}): StudyTask {
  return { id: `${app}/${name}/1`, app, kind: 'function', isHeldOut: false, ...more };
}

function result(id: string, round: number, nodesToSolve: number | null): TaskResult {
  const outcome = nodesToSolve === null ? 'failed' : 'passed';
  const counts = { nodes: 60, states: 9, verifierCalls: 5, walked: 0, failures: 0, isOverdue: false };
  const path = { steps: 2, foundSteps: 3, changes: null, needless: [], missing: [], others: [] };
  const search = { task: id, round, budget: 60, prior: 'words', nodesToSolve, ...counts, ...path };
  return { task: id, round, outcome, isCertified: nodesToSolve !== null, steps: 3, verdicts: 1, problem: null, search };
}

const tasks = [task('mail', 'a'), task('mail', 'b'), task('mail', 'c'), task('mail', 'd', { isHeldOut: true })];
const study: SearchStudy = {
  choices: {
    place: 'apps',
    apps: null,
    kinds: null,
    most: null,
    nodes: 60,
    taskSeconds: null,
    minutes: 60,
    solutions: 1,
    rounds: 2,
    holdOut: ['shop'],
    seed: 1,
  },
  apps: [
    { app: 'mail', tasks, leftOut: [] },
    { app: 'bank', tasks: [task('bank', 'a'), task('bank', 'e', { kind: 'easy' })], leftOut: [] },
    { app: 'shop', tasks: [task('shop', 'a')], leftOut: [] },
  ],
  heldOutApps: ['shop'],
  training: [
    result('mail/a/1', 1, 7),
    result('mail/b/1', 1, null),
    result('mail/b/1', 2, 50),
    result('bank/a/1', 1, null),
  ],
  heldOutBefore: [],
  heldOut: {
    words: [result('mail/d/1', 1, 12), result('shop/a/1', 1, null)],
    guided: [result('mail/d/1', 1, 3), result('shop/a/1', 1, 9)],
    student: [],
  },
  rows: 6,
  guides: [
    {
      knownApps: { weight: 0.25, rows: 6, words: 2, learned: 1.75, mixed: 1.5, usesLearned: true },
      otherApps: { weight: 0, rows: 6, words: 2, learned: 2.25, mixed: 2, usesLearned: false },
      features: null,
    },
    null,
  ],
  brokenApps: [],
  seconds: 1800,
  isComplete: true,
};

describe('table of a study', () => {
  it('[SEARCH-29] sums up by kind, by round and by cost', () => {
    const table = tableOf(study);
    // Two of three that were tried; b took 60 nodes in vain, then 50.
    expect(table.kinds[0]).toMatchObject({
      kind: 'function',
      tasks: 4,
      tried: 3,
      solved: 2,
      within: [1, 1, 2],
      target: 0.7,
    });
    // Wilson, 1927: 2 of 3 at 95 %.
    expect(table.kinds[0]?.interval.low).toBeCloseTo(0.2077, 4);
    expect(table.kinds[0]?.interval.high).toBeCloseTo(0.9385, 4);
    expect(table.kinds[1]).toMatchObject({ kind: 'easy', tasks: 1, tried: 0, solved: 0, target: 0.4 });
    expect(table.heldOutKinds.guided.otherApps).toMatchObject([{ kind: 'function', tried: 1, solved: 1 }]);
    expect(table.heldOutKinds.words.knownApps).toMatchObject([{ kind: 'function', tried: 1, solved: 1 }]);
    expect(table.rounds).toMatchObject([
      { round: 1, tried: 3, solved: 1, nodes: 180, verifierCalls: 15 },
      { round: 2, tried: 1, solved: 1, nodes: 60, guide: null },
    ]);
    expect(table.costs).toEqual([
      { arm: 'words', tried: 2, solved: 1, nodes: 120, verifierCalls: 10, steps: 6 },
      { arm: 'guided', tried: 2, solved: 2, nodes: 120, verifierCalls: 10, steps: 6 },
    ]);
    const report = reportText(table);
    expect(report.indexOf('| certified trajectories | 2 | 977 |')).toBeLessThan(report.indexOf('## Solved by kind'));
    expect(report).toContain('| training | function | 4 | 3 | 2 | 67 % | 21 %–94 % | 1 | 1 | 2 | 70 % |');
    expect(report).toContain('| held-out apps: search guided by the student | function | 1 | 1 | 1 | 100 % |');
  });

  it('[SEARCH-93] counts no path that leaves out what the instruction gives, and lists it', () => {
    const [first, ...others] = study.training as [TaskResult, ...TaskResult[]];
    const search = { ...(first.search as NonNullable<TaskResult['search']>), missing: ['See you at noon.'] };
    const table = tableOf({ ...study, training: [{ ...first, search }, ...others] });
    expect([table.trajectories, table.tasksSolved, table.kinds[0]?.solved]).toEqual([1, 1, 1]);
    expect(table.lessThanAsked).toEqual([{ task: 'mail/a/1', missing: ['See you at noon.'] }]);
    expect(reportText(table)).toContain('## Paths that do less than asked');
    expect(reportText(table)).toContain('- mail/a/1: "See you at noon."');
    expect(tableOf(study).lessThanAsked).toEqual([]);
    expect(reportText(tableOf(study))).not.toContain('less than asked');
  });

  it('[SEARCH-45] names paths that passed and could not be certified', () => {
    const end = { outcome: 'passed', leaf: 3, boundary: null, message: null, certification: 'by-replay' } as const;
    const broken = { result: 'broken', leaf: 3, milliseconds: 1, message: 'No answer.' } as const;
    const problem = problemOf({ end, certificates: [broken] });
    expect(problem).toBe('passed, but is not certified: its path could not be replayed: No answer.');
    expect(problemOf({ end, certificates: [broken, { result: 'agreed', leaf: 3, milliseconds: 1 }] })).toBeNull();
    expect(problemOf({ end: { ...end, outcome: 'failed' }, certificates: [] })).toBeNull();
    const errored = { ...end, outcome: 'errored', boundary: 'environment', message: 'Gone.' } as const;
    expect(problemOf({ end: errored, certificates: [] })).toBe('environment: Gone.');
  });

  it('[SEARCH-46] tells by round how many tasks were tried before, and how many of those it solved', () => {
    const { rounds } = tableOf({ ...study, training: [...study.training, result('mail/c/1', 2, 4)] });
    expect(rounds).toMatchObject([
      { round: 1, tried: 3, solved: 1, again: { tried: 0, solved: 0 } },
      { round: 2, tried: 2, solved: 2, again: { tried: 1, solved: 1 } },
    ]);
    const report = reportText(tableOf(study));
    expect(report).toContain('| round | tried | tried before | solved | of those tried before |');
    expect(report).toContain('| 2 | 1 | 1 | 1 | 1 | 60 | 60 |');
  });

  it('[SEARCH-60] tells by round how many nodes a task had, and counts all of them until it was solved', () => {
    const deeper = result('mail/b/1', 2, 50);
    const search = { ...(deeper.search as NonNullable<TaskResult['search']>), budget: 180 };
    const training = [...study.training.slice(0, 2), { ...deeper, search }, result('mail/c/1', 2, 3)];
    const table = tableOf({ ...study, training });
    expect(table.rounds).toMatchObject([{ budgets: { least: 60, most: 60 } }, { budgets: { least: 60, most: 180 } }]);
    expect(reportText(table)).toContain('| 2 | 2 | 1 | 2 | 1 | 60–180 | 120 |');
    // 60 nodes in vain, then 50.
    expect(table.training[0]).toMatchObject({ solved: 3, within: [2, 2, 3] });
  });

  it('[SEARCH-47] says of an unfinished study that its rows are those of the last round', () => {
    const unfinished = reportText(tableOf({ ...study, isComplete: false }));
    expect(unfinished).toContain('| next-action rows at the end of the last round | 6 | 9183 |');
    expect(unfinished).not.toContain('rows an hour');
    expect(reportText(tableOf(study))).toContain('| rows an hour | 12 |');
  });

  it('[SEARCH-48] counts every solution that changes what another one leaves alone', () => {
    const [first, ...rest] = study.training as [TaskResult, ...TaskResult[]];
    const search = first.search as NonNullable<TaskResult['search']>;
    const other = { actions: [], changes: ['/a', '/b'], needless: ['/b'] };
    const training = [{ ...first, search: { ...search, others: [other, { ...other, needless: [] }] } }, ...rest];
    const table = tableOf({ ...study, training });
    expect(table.withNeedlessChanges).toBe(1);
    expect(reportText(table)).toContain('Solutions that change what another solution of the task leaves alone: 1.');
  });

  it('[SEARCH-49] holds held-out apps to a target of their own, and tells how many tasks there are beside those tried', () => {
    const table = tableOf(study);
    expect(table.heldOutKinds.guided.otherApps).toMatchObject([{ kind: 'function', tasks: 1, target: 0.5 }]);
    expect(table.heldOutKinds.guided.knownApps).toMatchObject([{ kind: 'function', target: 0.7 }]);
    expect(reportText(table)).toContain('|  | kind | tasks | tried | solved | share |');
  });
});
