import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readJson } from '../../../src/modules/read-file.ts';
import { createSystemHost } from '../../../src/system/workers/host.ts';
import { readResults } from '../search-run.ts';
import type { SearchStudyChoices } from '../study-choices.ts';
import { comparisonTable, comparisonText } from './comparison-table.ts';
import { runComparison, type ComparisonOptions } from './comparison.ts';
import { compareSeeds } from './seeds.ts';

const host = createSystemHost({ workers: 0 });
const root = mkdtempSync(join(tmpdir(), 'espalier-compare-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const choices: SearchStudyChoices = {
  place: join(import.meta.dirname, '../../../test/fixtures/wai-study'),
  apps: ['desk'],
  kinds: null,
  most: null,
  nodes: 12,
  taskSeconds: null,
  minutes: null,
  solutions: 1,
  rounds: 2,
  holdOut: [],
  seed: 1,
  compare: true,
};

/** Lists of few tasks: the second is held out. */
function giveTasks(folder: string, app: string, names: readonly string[]): void {
  mkdirSync(folder, { recursive: true });
  const tasks = names.map((name, at) => ({
    id: taskId(app, name),
    app,
    kind: 'function',
    isHeldOut: at === 1,
  }));
  writeFileSync(join(folder, `tasks.${app}.json`), JSON.stringify({ app, kinds: null, tasks, leftOut: [] }));
}

function taskId(app: string, name: string): string {
  return `${app}/function-task-${name}/1`;
}

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
  it('[SEARCH-37] [SEARCH-90] [SEARCH-106] [SEARCH-107] [SEARCH-108] compares at equal cost, two apps at once, and goes on after a stop', async () => {
    const folder = join(root, 'two');
    giveTasks(folder, 'desk', ['click-1', 'fill-1', 'menu-1', 'settings-2']);
    giveTasks(folder, 'club', ['click-1', 'fill-1', 'menu-1']);
    const two = { folder, pages: 4, choices: { ...choices, apps: ['desk', 'club'], seed: 2, rounds: 1, tour: 8 } };
    const stop = new AbortController();
    const stopped = await compare({ ...two, signal: stop.signal, onProgress: () => stop.abort() });
    expect(stopped.isComplete).toBe(false);
    for (const app of ['desk', 'club']) expect(existsSync(join(folder, 'start', app))).toBe(true);

    const found = await compare(two);
    expect(found.isComplete).toBe(true);
    const { start, search, src } = found.collected;
    const tasksOf = (results: typeof src.results) => results.map(({ task }) => task).toSorted();
    expect(tasksOf(start.results)).toEqual([taskId('club', 'menu-1'), taskId('desk', 'menu-1')]);
    const searched = [taskId('club', 'click-1'), taskId('desk', 'click-1'), taskId('desk', 'settings-2')];
    expect(tasksOf(search.results)).toEqual(searched);
    expect(new Set(tasksOf(src.results)).isSubsetOf(new Set(tasksOf(search.results)))).toBe(true);
    for (const app of ['desk', 'club'])
      expect(readJson(join(folder, `map.${app}.json`))).toMatchObject({ app, clicks: 8 });

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
    for (const row of table.contenders) expect(row.heldOut.tried).toBe(2);
    expect(by.get('search')).toMatchObject({ solved: 5, trajectories: 5, heldOut: { solved: 2 } });
    expect(by.get('imitation')).toMatchObject({ solved: 5, rows: by.get('search')?.rows });
    expect(by.get('src')?.rows).toBeGreaterThanOrEqual(by.get('start')?.rows ?? Infinity);
    expect(by.get('random')).toMatchObject({ solved: 0, rows: 0, cost: { nodes: 0, steps: 0, verifierCalls: 0 } });
    expect(by.get('random')?.heldOut.cost).toMatchObject({ nodes: 0, verifierCalls: 2 });
    expect(comparisonText(table)).toContain('| search alone | 5 of 5 | 5 |');

    // The budget may be spent before the second app has its turn.
    const costs = readFileSync(join(folder, 'src/club/costs.jsonl'), 'utf8');
    expect(await compare(two)).toEqual(found);
    expect(readFileSync(join(folder, 'src/club/costs.jsonl'), 'utf8')).toBe(costs);

    // Comparisons of single seeds, made by themselves, are taken as they are.
    const seeds = join(root, 'seeds');
    mkdirSync(seeds);
    renameSync(folder, join(seeds, 'seed-2'));
    const signal = new AbortController().signal;
    const told: number[] = [];
    const planned = { folder: seeds, choices: { ...two.choices, seeds: 1 }, pages: 4, host, signal };
    expect(await compareSeeds({ ...planned, onResults: given => told.push(given.length) })).toEqual([found]);
    expect(told.at(-1)).toBe(1);
    const other = { ...planned, choices: { ...planned.choices, nodes: 13 } };
    await expect(compareSeeds(other)).rejects.toThrow('nodes was 12, is 13');
  }, 300_000);

  it('[SEARCH-102] [SEARCH-103] has a model that a command teaches as the student, and goes on after it broke', async () => {
    const folder = join(root, 'taught');
    giveTasks(folder, 'desk', ['click-1', 'click-2', 'menu-1']);
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
    for (const row of comparisonTable(found).contenders) expect(row.heldOut.tried).toBe(1);
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

    rmSync(join(folder, 'held-out/imitation'), { recursive: true });
    rmSync(file);
    await expect(compare(taught)).rejects.toThrow(`There is no ${file}, and its run has rows to teach`);
  }, 300_000);

  it('[SEARCH-90] refuses limits in time', async () => {
    await expect(compare({ choices: { ...choices, minutes: 1 } })).rejects.toThrow('knows no limit in time');
  });
});
