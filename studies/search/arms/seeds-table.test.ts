import { describe, expect, it } from 'vitest';
import { contenders, type AppResult, type Comparison, type Contender } from './comparison.ts';
import { differenceTexts, seedsCells, seedsTable, seedsText } from './seeds-table.ts';

const cost = { nodes: 10, steps: 2, verifierCalls: 4 };
const none = { nodes: 0, steps: 0, verifierCalls: 0 };

/** Four apps with two held-out tasks each; a contender solves those that its word names by app and number. */
function comparison(
  seed: number,
  solved: Partial<Record<Contender, readonly string[]>>,
  isComplete = true,
): Comparison {
  const tasks = ['a', 'b', 'c', 'd'].flatMap(app => [1, 2].map(number => ({ app, task: `${app}${number}` })));
  const resultsOf = (names: readonly string[]): AppResult[] =>
    tasks.map(({ app, task }) => ({
      app,
      task,
      round: 1,
      outcome: names.includes(task) ? 'passed' : 'failed',
      isCertified: names.includes(task),
      steps: 1,
      verdicts: 1,
      problem: null,
      search: null,
    }));
  const runs = { results: [], cost, rows: 6 };
  return {
    choices: { seed } as Comparison['choices'],
    trainingTasks: 9,
    collected: { start: runs, search: runs, src: runs },
    evaluated: Object.fromEntries(
      contenders.map(name => [name, { results: resultsOf(solved[name] ?? []), cost: none, rows: 0 }]),
    ) as unknown as Comparison['evaluated'],
    budget: { actions: 12, verifierCalls: 4 },
    brokenApps: [],
    isComplete,
  };
}

const all = ['a1', 'a2', 'b1', 'b2', 'c1', 'c2', 'd1', 'd2'];

describe('comparisons with several seeds', () => {
  it('[SEARCH-108] tells shares and paired differences over apps and seeds', () => {
    const table = seedsTable(
      [
        comparison(1, { search: all, src: ['a1', 'b1', 'c1', 'd1'], imitation: ['a1', 'b1'] }),
        comparison(2, { search: all, src: ['a2', 'b2', 'c2'], imitation: ['a2', 'd1'] }),
      ],
      2,
    );
    expect(table.isComplete).toBe(true);
    expect(table.heldOut.search).toMatchObject({ mean: 1, high: 1 });
    expect(table.heldOut.src?.mean).toBeCloseTo(7 / 16, 12);
    const between = table.differences.find(({ of, from }) => of === 'src' && from === 'imitation');
    expect(between?.difference.mean).toBeCloseTo(3 / 16, 12);
    // Apps differ: 0, 0, 2 and 1 tasks more of 4.
    expect(between?.difference.low).toBeLessThan(0.05);
    expect(between?.difference.high).toBeGreaterThan(0.3);
    expect(seedsCells(table).find(([name]) => name === 'SRC, the search as teacher')).toEqual(
      expect.arrayContaining(['0, 0 of 9', '12', '24', '8', '4, 3 of 8', '44 %']),
    );
    expect(differenceTexts(table)[0]).toMatch(
      /^SRC, the search as teacher, against imitation of the search: \+18\.8 points \(-?\d+\.\d to \d+\.\d\)$/,
    );
  });

  it('[SEARCH-108] counts whole comparisons alone, and says that others are missing', () => {
    const table = seedsTable([comparison(1, { src: ['a1'] }), comparison(2, { src: all }, false)], 3);
    expect(table.isComplete).toBe(false);
    expect(table.heldOut.src?.mean).toBeCloseTo(1 / 8, 12);
    expect(seedsText(table)).toContain('The comparison is not complete');
    expect(seedsTable([], 3).heldOut.src).toBeNull();
  });
});
