import { execFile } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createManualClock } from '../../src/core/clock.ts';
import { readExamples } from '../../src/dataset/read-rows.ts';
import { createSystemHost } from '../../src/system/workers/host.ts';
import { readJson } from '../../src/modules/read-file.ts';
import { runPaths } from '../../src/runs/folder/folder.ts';
import { addEntry, readEntries, type SearchEntry } from './search-log.ts';
import { runSearchStudy, type SearchStudyOptions } from './search-study.ts';
import type { SearchStudyChoices } from './study-choices.ts';
import type { StudyProgress } from './study-progress.ts';
import { readTasksOnce } from './study-apps.ts';
import { resumeStudy } from './study-stages.ts';
import { reportText } from './study-report.ts';
import { tableOf } from './study-table.ts';
import { isLong } from '../../test/long-form.ts';

const host = createSystemHost({ workers: 0 });
const place = join(import.meta.dirname, '../../test/fixtures/wai-study');
const root = mkdtempSync(join(tmpdir(), 'espalier-study-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const choices: SearchStudyChoices = {
  place,
  apps: ['desk'],
  kinds: null,
  most: null,
  nodes: 40,
  taskSeconds: null,
  minutes: null,
  solutions: 1,
  rounds: 1,
  holdOut: [],
  seed: 1,
};

function study(folder: string, more: Partial<SearchStudyOptions> = {}) {
  const signal = new AbortController().signal;
  return runSearchStudy({ choices, folder: join(root, folder), pages: 2, host, signal, ...more });
}

/** What a program says that knows rows and the benchmark, and nothing of us. */
function replayOutside(...rows: readonly string[]): Promise<{ readonly code: unknown; readonly stdout: string }> {
  const node = join(import.meta.dirname, '../../node_modules/.bin/node');
  const program = join(import.meta.dirname, '../../examples/replay-rows.ts');
  return new Promise(resolve => {
    execFile(node, [program, place, ...rows], (error, stdout) => void resolve({ code: error?.code ?? 0, stdout }));
  });
}

/** Rows of another path, or with something missing, do not pass there. */
async function expectFailures(exported: string): Promise<void> {
  const lines = readFileSync(exported, 'utf8').trim().split('\n');
  const all = lines.map(line => JSON.parse(line) as { episode: string; locator: string | null });
  const given = all.filter(({ episode }) => episode === all[0]?.episode);
  const elsewhere = given.map(row => ({ ...row, locator: row.locator === null ? null : 'body > nav:nth-child(1)' }));
  const wrong = [
    [elsewhere, ': verifier: '],
    [given.slice(1), ': rows: one of this path is missing'],
    [given.map(row => ({ ...row, locator: null })), ': rows: they do not say where to'],
    [given.map(row => ({ ...row, locator: 'body > p' })), ': action: '],
  ] as const;
  const files = wrong.map(([rows], at) => {
    const altered = join(root, `altered-${at}.jsonl`);
    writeFileSync(altered, rows.map(row => JSON.stringify(row)).join('\n'));
    return altered;
  });
  const { code, stdout } = await replayOutside(...files);
  for (const [, words] of wrong) expect(stdout).toContain(words);
  // None passes: one fails by the verifier, one by an action, two by their rows.
  expect(stdout).toMatch(/^all +4 +0 +1 +1 +2$/m);
  expect(code).toBe(1);
}

describe('study of search in pages', () => {
  it('[SEARCH-8] goes on after a stop, and searches nothing twice', async () => {
    const few = { ...choices, most: 8, tour: 12 };
    const stop = new AbortController();
    const stopped = await study('few', { choices: few, signal: stop.signal, onProgress: () => stop.abort() });
    expect(stopped.isComplete).toBe(false);
    const log = join(root, 'few/desk/searches.jsonl');
    const onProgress = ({ phase }: StudyProgress): void => void (phase.startsWith('held out') && again.abort());
    const again = new AbortController();
    const found = await study('few', { choices: few, signal: again.signal, onProgress });
    expect(found.training.length).toBeGreaterThan(1);
    expect(found.seconds).toBeGreaterThan(stopped.seconds);
    const tasks = readEntries(log).map(({ task }) => task);
    for (const { task } of stopped.training) expect(tasks.filter(id => id === task)).toHaveLength(1);
    expect(stopped.training.length).toBeGreaterThan(0);
  }, 120_000);

  it('[SEARCH-8] [SEARCH-101] [EXP-28] tours, solves, trains and evaluates, and its export replays in other browsers (long form: every task)', async () => {
    const folder = join(root, 'desk');
    const [trained, heldOut] = isLong ? [5, 7] : [1, 1];
    const found = await study('desk', { choices: { ...choices, tour: 12, most: isLong ? null : 2 } });
    expect(readJson(join(folder, 'map.desk.json'))).toMatchObject({ app: 'desk', clicks: 12 });
    const searches = readEntries(join(folder, 'desk/searches.jsonl'));
    expect(new Set(searches.map(({ prior }) => prior))).toEqual(new Set(['words and map']));
    expect(found.isComplete).toBe(true);
    const table = tableOf(found);
    expect(table.training, JSON.stringify(found.training)).toEqual([
      {
        app: 'desk',
        kind: 'function',
        tasks: trained,
        tried: trained,
        solved: trained,
        within: Array(3).fill(trained),
      },
    ]);
    expect(table.heldOut.words[0]).toMatchObject({ tasks: heldOut, solved: heldOut });
    expect(table.heldOut.guided[0]).toMatchObject({ tasks: heldOut, solved: heldOut });
    expect(table.heldOut.student[0]?.tasks).toBe(heldOut);
    expect(table.leftOut).toMatchObject([{ task: 'function-task-untouched' }]);
    expect(reportText(table)).toContain(`| desk | function | ${trained} | ${trained} | ${trained} |`);

    const rows = join(runPaths(join(folder, 'desk')).export, 'next-actions.jsonl');
    const outside = await replayOutside(rows);
    expect(outside.stdout).toMatch(new RegExp(`^all +${trained} +${trained} +0 +0 +0$`, 'm'));
    expect(outside.code).toBe(0);
    await expectFailures(rows);

    const examples = [...readExamples(runPaths(join(folder, 'desk')).export)];
    expect(examples).toHaveLength(table.rows);
  }, 300_000);

  it('[SEARCH-28] ends with whole tables when its minutes are over, and does not open ended phases again', async () => {
    const limited = { ...choices, minutes: 0.2 };
    // Every task takes two seconds, however slow the machine is.
    const clock = createManualClock();
    let seen = '';
    const onProgress = ({ phase, done }: StudyProgress): void => {
      if (`${phase} ${done}` !== seen && done > 0) clock.advance(2000);
      seen = `${phase} ${done}`;
    };
    const found = await study('minutes', { choices: limited, host: { ...host, clock }, onProgress });
    expect(found.isComplete).toBe(true);
    const table = tableOf(found);
    const [row] = table.training;
    expect(row).toMatchObject({ tasks: 5 });
    expect(row?.tried).toBe(found.training.length);
    expect(row?.tried).toBeGreaterThan(0);
    expect(row?.tried).toBeLessThan(5);
    expect(table.heldOut.guided.map(({ tried }) => tried)).toEqual(
      table.heldOut.guided.length === 0 ? [] : table.heldOut.words.map(({ tried }) => tried),
    );
    // No search is cut: it would count as one that failed.
    expect(table.overdue).toBe(0);
    expect(reportText(table)).toContain('## Solved by kind');
    const again = await study('minutes', { choices: limited });
    expect(again.training).toEqual(found.training);
    expect(again.heldOut).toEqual(found.heldOut);
  }, 120_000);

  it('[SEARCH-67] goes on with more rounds, which search what is left deeper, and keeps what there is', async () => {
    const few = { ...choices, kinds: ['function'], most: 5, nodes: 1, solutions: 2, deepen: 40, minutes: 30 };
    const before = await study('more', { choices: few });
    const solved = before.training.filter(({ round, isCertified }) => round === 1 && isCertified);
    const open = before.training.filter(({ round, isCertified }) => round === 1 && !isCertified);
    expect(solved.length).toBeGreaterThan(0);
    expect(open.length).toBeGreaterThan(0);
    const asked = { rounds: 2, kinds: ['function', 'easy'], minutes: 30 };
    const found = await study('more', { choices: resumeStudy(join(root, 'more'), asked).choices });
    expect(found.isComplete).toBe(true);
    expect(found.training.filter(({ round }) => round <= 2)).toEqual(before.training);
    const deeper = found.training.filter(({ round }) => round === 3);
    expect(deeper.map(({ task, search }) => [task, search?.budget])).toEqual(open.map(({ task }) => [task, 40]));
    expect(deeper.some(({ isCertified }) => isCertified)).toBe(true);
    // By words alone nothing is solved twice; students that know more solve all again.
    expect(found.heldOut.words).toEqual(before.heldOut.words);
    const triedIn = (results: readonly { task: string }[]) => results.map(({ task }) => task).toSorted();
    expect(triedIn(found.heldOut.guided)).toEqual(triedIn(found.heldOut.words));
    expect(found.heldOutBefore).toHaveLength(before.heldOut.guided.length + before.heldOut.student.length);
    expect(tableOf(found).rounds).toMatchObject([
      { round: 1, tried: before.training.filter(({ round }) => round === 1).length },
      { round: 2, tried: open.length, again: { tried: open.length } },
    ]);
  }, 300_000);

  it('[SEARCH-68] takes up more kinds of tasks, and leaves its list of the others as it is', async () => {
    const folder = join(root, 'kinds');
    mkdirSync(folder);
    const kept = { id: 'desk/function-task-click-1/1', app: 'desk', kind: 'function', isHeldOut: true };
    writeFileSync(join(folder, 'tasks.desk.json'), JSON.stringify({ app: 'desk', tasks: [kept], leftOut: [] }));
    const app = { id: 'desk', name: `wai:${place}/desk` };
    const list = { host, most: null, kindsBefore: ['easy'] };
    expect((await readTasksOnce(app, folder, { ...list, kinds: ['easy'] })).tasks).toEqual([kept]);
    const more = await readTasksOnce(app, folder, { ...list, kinds: ['easy', 'function'] });
    expect(more.tasks[0]).toEqual(kept);
    expect(more.tasks.filter(({ id }) => id === kept.id)).toHaveLength(1);
    expect(more.tasks.length).toBeGreaterThan(5);
    expect(await readTasksOnce(app, folder, { ...list, kinds: ['function'] })).toEqual(more);
  }, 60_000);

  it('[SEARCH-63] trains on the tasks of its own list, though their split is another by now', async () => {
    const folder = join(root, 'older');
    mkdirSync(folder);
    const task = { id: 'desk/function-task-click-1/1', app: 'desk', kind: 'function', isHeldOut: false };
    writeFileSync(join(folder, 'tasks.desk.json'), JSON.stringify({ app: 'desk', tasks: [task], leftOut: [] }));
    const found = await study('older');
    expect(found.training).toMatchObject([{ task: task.id, isCertified: true }]);
    expect(found.rows).toBe(found.training[0]?.steps);
  }, 120_000);

  it('[SEARCH-9] names what is wrong with what it is given', async () => {
    const empty = join(root, 'empty');
    mkdirSync(empty);
    const refused = (change: Partial<SearchStudyChoices>): Promise<unknown> =>
      study('refused', { choices: { ...choices, ...change } });
    await expect(refused({ place: empty })).rejects.toThrow(`${empty} holds no app with tasks.`);
    await expect(refused({ place: join(root, 'nowhere') })).rejects.toThrow('There is no folder');
    await expect(refused({ apps: ['desks'] })).rejects.toThrow('There is no app "desks"');
    await expect(refused({ holdOut: ['club'] })).rejects.toThrow('There is no app "club" to hold out');
    await expect(refused({ holdOut: ['desk'] })).rejects.toThrow('Every app is held out');
    expect(existsSync(join(root, 'refused'))).toBe(false);
  });

  it('[SEARCH-11] names an app that cannot be run, and ends all the same', async () => {
    const folder = join(root, 'apps');
    mkdirSync(join(folder, 'broken'), { recursive: true });
    writeFileSync(join(folder, 'broken/index.html'), '<p>');
    writeFileSync(join(folder, 'broken/function-tasks.json'), '{ not JSON');
    const all = { ...choices, place: folder, apps: ['all'] };
    await expect(study('broken', { choices: all })).rejects.toThrow('can be studied. broken: ');
    cpSync(join(place, 'desk'), join(folder, 'desk'), { recursive: true });
    const found = await study('broken', { choices: { ...all, most: 1, nodes: 1, tour: 2 } });
    expect(found).toMatchObject({ isComplete: true, brokenApps: [{ app: 'broken' }] });
    expect(reportText(tableOf(found))).toContain('- broken, the whole app: ');
  }, 120_000);

  it('[SEARCH-9] does not read a line of a search that was cut', () => {
    const file = join(root, 'searches.jsonl');
    const entry: SearchEntry = {
      task: 'desk/a/1',
      round: 1,
      nodes: 3,
      budget: 40,
      prior: 'words',
      nodesToSolve: 2,
      states: 4,
      verifierCalls: 2,
      walked: 0,
      failures: 0,
      isOverdue: false,
      steps: 2,
      foundSteps: 3,
      changes: ['/items/1/starred'],
      needless: [],
      missing: [],
      others: [],
    };
    addEntry(file, { ...entry, nodes: 9 });
    addEntry(file, entry);
    appendFileSync(file, JSON.stringify({ ...entry, task: 'desk/b/1' }).slice(0, 40));
    expect(readEntries(file)).toEqual([entry]);
    // Logs of before do not tell the budget and the prior.
    const { budget: _budget, prior: _prior, ...older } = entry;
    writeFileSync(file, `${JSON.stringify(older)}\n`);
    expect(readEntries(file)).toEqual([{ ...entry, budget: null, prior: null }]);
  });
});
