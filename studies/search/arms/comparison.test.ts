import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createSystemHost } from '../../../src/system/workers/host.ts';
import { readResults } from '../search-run.ts';
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

const toy = join(import.meta.dirname, '../../../test/fixtures/small');

/** Writes down what it is asked for, and answers with what stands in a file. */
const teacher = join(root, 'teacher.mjs');
writeFileSync(
  teacher,
  `import { appendFileSync, readFileSync } from 'node:fs';
const [root, , out, , seed, ...rows] = process.argv.slice(2);
appendFileSync(root + '/asked', JSON.stringify({ out, seed, rows }) + '\\n');
const answer = readFileSync(root + '/answer', 'utf8');
if (answer === 'fail') {
  console.error('no rows fit');
  process.exit(3);
}
console.log('taught\\n' + answer);
`,
);

interface Asked {
  readonly out: string;
  readonly seed: string;
  readonly rows: readonly string[];
}

function askedFor(): readonly Asked[] {
  const lines = readFileSync(join(root, 'asked'), 'utf8').trim().split('\n');
  return lines.map(line => JSON.parse(line) as Asked);
}

/** A model that tells of itself and answers no question. */
async function serveWithoutScores() {
  const read = (name: string): unknown => JSON.parse(readFileSync(join(toy, name), 'utf8'));
  const about = JSON.stringify({ facts: read('model.json'), tokenizer: read('tokenizer.json'), reach: 128 });
  const server = createServer(({ url }, response) => {
    if (url !== '/model') response.statusCode = 500;
    response.end(url === '/model' ? about : '');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}`, close: () => server.close() };
}

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

  it('[SEARCH-102] [SEARCH-103] has a model that a command teaches as the student, and goes on after it broke', async () => {
    const folder = join(root, 'taught');
    const taught = { folder, choices: { ...choices, teach: `${process.execPath} ${teacher} ${root}` } };
    const answer = (text: string): void => writeFileSync(join(root, 'answer'), text);
    const refused = async (text: string): Promise<string> => {
      answer(text);
      return String(await compare(taught).catch((cause: unknown) => cause));
    };
    expect(await refused('fail')).toMatch(
      /teacher\.mjs.*--out .*--seed 1.*exit code 3, and said:\nno rows fit\n.*--resume/s,
    );
    expect(await refused('done.')).toContain('named no student: its last line was "done."');
    expect(await refused('small:')).toContain('named no student');
    expect(await refused(`small:${root}`)).toContain('does not answer');
    const server = await serveWithoutScores();
    expect(await refused(`small:${server.address}`)).toContain('it answered 500 for /scores');
    server.close();
    expect(readResults(join(folder, 'src/desk'))).toEqual([]);

    answer(`small:${toy}`);
    rmSync(join(root, 'asked'));
    const found = await compare(taught);
    expect(found.isComplete).toBe(true);
    const tried = found.evaluated.search.results.length;
    expect(tried).toBeGreaterThan(0);
    for (const row of comparisonTable(found).contenders) expect(row.heldOut.tried).toBe(tried);
    const actions = found.collected.src.cost.nodes + found.collected.src.cost.steps;
    expect(actions).toBeGreaterThan(0);
    expect(actions).toBeLessThanOrEqual(found.budget.actions + found.collected.src.results.length);

    const asked = askedFor();
    const own = (name: string) => join(folder, 'taught', name, 'model');
    for (const { seed } of asked) expect(seed).toBe('1');
    expect(asked.find(({ out }) => out === own('untrained'))?.rows).toEqual([]);
    const [file = ''] = asked.find(({ out }) => out === own('imitation'))?.rows ?? [];
    const [row = ''] = readFileSync(file, 'utf8').split('\n');
    const { messages, action } = JSON.parse(row) as { messages: { content: string }[]; action: unknown };
    expect(messages[1]?.content).toMatch(/^<task> .*<act>$/s);
    expect(action).toBeDefined();
    // All is done: nobody is asked again.
    expect(await compare(taught)).toEqual(found);
    expect(askedFor()).toHaveLength(asked.length);
  }, 300_000);

  it('[SEARCH-90] refuses limits in time', async () => {
    await expect(compare({ choices: { ...choices, minutes: 1 } })).rejects.toThrow('knows no limit in time');
  });
});
