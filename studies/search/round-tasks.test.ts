import { describe, expect, it } from 'vitest';
import { roundTasks } from './round-tasks.ts';
import type { TaskResult } from './search-run.ts';

type Search = NonNullable<TaskResult['search']>;

function failed(task: string, round: number, more: Partial<Search> = {}): TaskResult {
  const counts = { nodes: 40, states: 9, verifierCalls: 5, walked: 0, failures: 0, isOverdue: false };
  const path = {
    nodesToSolve: null,
    steps: null,
    foundSteps: null,
    changes: null,
    needless: [],
    missing: [],
    others: [],
  };
  const search = { task, round, budget: 40, prior: 'words', ...counts, ...path, ...more };
  return { task, round, outcome: 'failed', isCertified: false, steps: 1, verdicts: 1, problem: null, search };
}

const solved: TaskResult = { ...failed('solved', 1), outcome: 'passed', isCertified: true };
const broken: TaskResult = { ...failed('broken', 1), outcome: 'errored', search: null };
const tasks = ['solved', 'failed', 'broken', 'new'];
const round = { tasks, before: [solved, failed('failed', 1), broken], nodes: 40, prior: 'words' };

describe('tasks of a round', () => {
  it('[SEARCH-60] are those not solved, new ones first; one that is tried again gets more nodes', () => {
    const due = roundTasks({ ...round, deepen: 3 });
    expect([...due]).toEqual([
      ['broken', 40],
      ['new', 40],
      ['failed', 120],
    ]);
    const before = [...round.before, failed('failed', 2, { budget: 120, nodes: 120 })];
    expect(roundTasks({ ...round, before, deepen: 3 }).get('failed')).toBe(360);
  });

  it('[SEARCH-60] leave out a search that would be the same, and repeat one with another prior or that was cut', () => {
    expect([...roundTasks({ ...round, deepen: 1 }).keys()]).toEqual(['broken', 'new']);
    expect(roundTasks({ ...round, deepen: 1, prior: 'words and a student' }).get('failed')).toBe(40);
    const cut = { ...round, before: [failed('failed', 1, { isOverdue: true, nodes: 12 })] };
    expect(roundTasks({ ...cut, deepen: 3 }).get('failed')).toBe(40);
  });
});
