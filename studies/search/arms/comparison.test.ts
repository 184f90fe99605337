import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createSystemHost } from '../../../src/system/workers/host.ts';
import type { SearchStudyChoices } from '../study-choices.ts';
import { comparisonTable, comparisonText } from './comparison-table.ts';
import { runComparison, type ComparisonOptions } from './comparison.ts';

const host = createSystemHost({ workers: 0 });
const root = mkdtempSync(join(tmpdir(), 'espalier-compare-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const choices: SearchStudyChoices = {
  place: join(import.meta.dirname, '../../../test/fixtures/wai-study'),
  apps: ['desk'],
  kinds: null,
  most: 6,
  nodes: 20,
  taskSeconds: null,
  minutes: null,
  solutions: 1,
  rounds: 2,
  holdOut: [],
  seed: 1,
  compare: true,
};

function compare(more: Partial<ComparisonOptions> = {}) {
  const signal = new AbortController().signal;
  return runComparison({ choices, folder: join(root, 'desk'), pages: 2, host, signal, ...more });
}

describe('ways to learn from a search', () => {
  it('[SEARCH-37] [SEARCH-90] compares search, imitation and SRC at equal cost, and goes on after a stop', async () => {
    const stop = new AbortController();
    const stopped = await compare({ signal: stop.signal, onProgress: () => stop.abort() });
    expect(stopped.isComplete).toBe(false);
    const found = await compare();
    expect(found.isComplete).toBe(true);
    const { start, search, src } = found.collected;
    const tasksOf = (results: typeof src.results) => new Set(results.map(({ task }) => task));
    expect(tasksOf(start.results).union(tasksOf(search.results)).size).toBe(3);
    expect(tasksOf(src.results).isSubsetOf(tasksOf(search.results))).toBe(true);

    const { budget } = found;
    expect(budget).toEqual({
      actions: search.cost.nodes + search.cost.steps,
      verifierCalls: search.cost.verifierCalls,
    });
    // An episode that is under way ends with one step and one verdict more.
    const episodes = src.results.length;
    expect(src.cost.nodes + src.cost.steps).toBeLessThanOrEqual(budget.actions + episodes);
    expect(src.cost.verifierCalls).toBeLessThanOrEqual(budget.verifierCalls + episodes);
    expect(src.cost.nodes).toBeGreaterThan(0);

    const table = comparisonTable(found);
    const by = new Map(table.contenders.map(row => [row.contender, row]));
    for (const row of table.contenders) expect(row.heldOut.tried).toBe(3);
    expect(by.get('search')).toMatchObject({ solved: 3, trajectories: 3, heldOut: { solved: 3 } });
    expect(by.get('imitation')).toMatchObject({ solved: 3, rows: by.get('search')?.rows });
    expect(by.get('src')?.rows).toBeGreaterThan(by.get('start')?.rows ?? Infinity);
    expect(by.get('random')).toMatchObject({ solved: 0, rows: 0, cost: { nodes: 0, steps: 0, verifierCalls: 0 } });
    expect(by.get('random')?.heldOut.cost).toMatchObject({ nodes: 0, verifierCalls: 3 });
    expect(comparisonText(table)).toContain('| search alone | 3 of 3 | 3 |');

    const costs = readFileSync(join(root, 'desk/src/desk/costs.jsonl'), 'utf8');
    expect(await compare()).toEqual(found);
    expect(readFileSync(join(root, 'desk/src/desk/costs.jsonl'), 'utf8')).toBe(costs);
  }, 300_000);

  it('[SEARCH-90] refuses limits in time', async () => {
    await expect(compare({ choices: { ...choices, minutes: 1 } })).rejects.toThrow('knows no limit in time');
  });
});
