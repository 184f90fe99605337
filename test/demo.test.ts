import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readReportData, type ReportData } from '../src/analysis/report/data.ts';
import type { Phase } from '../src/core/episode/events.ts';
import { isEvaluationSeed } from '../src/runs/settings/seeds.ts';
import { paidBy } from '../studies/demo/teachers.ts';
import { openStore } from '../src/store/store.ts';
import { launchChromium } from './chromium.ts';
import { gigpoAgain, type GigpoRow } from './fixtures/credit/gigpo-again.ts';
import { runProgram, type Ended } from './fixtures/program.ts';
import { openStudio } from './fixtures/studio/open-studio.ts';
import { byMouse, walkStudio } from './fixtures/studio/walk.ts';

const folder = mkdtempSync(join(tmpdir(), 'espalier-demo-'));
const tooLong = 600_000;
const quick = ['demo', 'mail', '--quick', '--out', 'study'];
let browser: Browser;
let ended: Ended;
let data: ReportData;

beforeAll(async () => {
  ended = await runProgram(quick, { folder });
  data = readReportData(JSON.parse(readFileSync(join(folder, 'study', 'demo.json'), 'utf8')));
  browser = await launchChromium();
}, tooLong);

afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

function tasksOf(run: string, phase: Phase): Set<string> {
  const store = openStore({ path: join(folder, 'study', run, 'store.db'), readOnly: true });
  const tasks = new Set(Array.from(store.summaries({ phase }), ({ head }) => head.task.id));
  store.close();
  return tasks;
}

function listed(name: string): string[] {
  return readFileSync(join(folder, 'study', 'worlds', name), 'utf8')
    .trim()
    .split('\n');
}

interface StepRow extends GigpoRow {
  readonly node: number;
  readonly advantage: number;
}

interface VerlRow {
  readonly episode: string;
  readonly advantages: readonly number[];
  readonly advantage_mask: readonly number[];
}

function rowsOf<T>(path: string): T[] {
  return readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as T);
}

/** Both files have the advantages that the formula gives. */
function expectSameAdvantages(rows: string): void {
  const steps = rowsOf<StepRow>(join(rows, 'advantages.jsonl'));
  const again = gigpoAgain(steps);
  expect(steps.length).toBeGreaterThan(10);
  for (const [place, { advantage }] of steps.entries()) expect(advantage).toBeCloseTo(again[place] as number, 9);
  const tokens = rowsOf<VerlRow>(join(rows, 'tokens-verl.jsonl')).filter(row => row.advantage_mask.includes(1));
  expect(tokens.length).toBeGreaterThan(0);
  for (const { episode, advantages, advantage_mask: mask } of tokens) {
    const own = new Set(steps.flatMap((step, at) => (step.episode === episode ? [again[at]?.toFixed(9)] : [])));
    const sampled = new Set(advantages.filter((_, at) => mask[at] === 1).map(value => value.toFixed(9)));
    expect(sampled.isSubsetOf(own)).toBe(true);
    expect(advantages.every((value, at) => mask[at] === 1 || value === 0)).toBe(true);
  }
}

describe('the demo', () => {
  it('[DEMO-1] evaluates every point on all levels, beside the baselines, on tasks that were never collected on', () => {
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    const { points = [], baselines = [] } = data.worlds ?? {};
    expect(points.map(({ tasks }) => tasks)).toEqual([0, 12]);
    for (const { newInstances, heldOut, newComposition, unseenSkill, unseenApps } of points) {
      expect([newInstances?.n, newInstances?.errored]).toEqual([12, 0]);
      expect([heldOut?.n, heldOut?.errored]).toEqual([12, 0]);
      expect((newComposition?.n ?? 0) + (unseenSkill?.n ?? 0)).toBe(12);
      expect([unseenApps?.n, unseenApps?.errored]).toEqual([16, 0]);
    }
    const names = ['random', 'infeasible', 'frequent ending', 'replay', 'planner'];
    expect(baselines.map(({ name }) => name)).toEqual(names);
    for (const { name, heldOut, unseenApps } of baselines) {
      expect([name, heldOut?.n, unseenApps?.n]).toEqual([name, 12, 16]);
    }
    const collected = ['worlds/apps', 'worlds/made-up', 'teachers/adaptive', 'teachers/demonstrations'].flatMap(run => [
      ...tasksOf(run, 'collect'),
    ]);
    expect(collected.some(id => isEvaluationSeed(Number(id.split('/')[2])))).toBe(false);
    const evaluated = tasksOf('worlds/tasks-12.seed-1', 'evaluate');
    expect(evaluated).toEqual(new Set(listed('evaluated.txt')));
    expect(evaluated.isDisjointFrom(new Set(collected))).toBe(true);
  });

  it('[DEMO-2] shows students that learn: they pass more new instances than the random and the replay baseline', () => {
    const { points = [], baselines = [] } = data.worlds ?? {};
    const weak = baselines.filter(({ name }) => name !== 'planner').map(own => own.newInstances?.rate ?? 0);
    expect(points.at(-1)?.newInstances?.rate).toBeGreaterThan(Math.max(...weak));
  });

  it('[DEMO-3] lets imitation show as many steps as the first arm asked queries, or showed steps', () => {
    const paid = paidBy(join(folder, 'study', 'teachers', 'adaptive'));
    const arm = (id: string) => data.arms.find(own => own.id === id)?.rounds.at(-1);
    expect(arm('adaptive')?.queries).toBe(paid.queries);
    expect((arm('adaptive')?.shown ?? 0) + (arm('adaptive')?.corrections ?? 0)).toBe(paid.steps);
    const longest = 30;
    for (const [id, price] of [
      ['imitation-queries', paid.queries],
      ['imitation-steps', paid.steps],
    ] as const) {
      expect(arm(id)?.queries).toBeLessThanOrEqual(price);
      expect(arm(id)?.queries).toBeGreaterThan(price - longest);
    }
  });

  it('[DEMO-4] says of every claim whether it holds, on the terminal and in the report', () => {
    expect(data.claims.length).toBe(12);
    for (const { claim, holds, evidence } of data.claims) {
      expect(holds).not.toBeNull();
      expect(evidence).toMatch(/\d/);
      expect(ended.stdout).toContain(`${holds === true ? '✓' : '✗'}  ${claim}`);
    }
    expect(ended.stdout).toContain(`Report: ${join('study', 'report.html')}`);
  });

  it('[DEMO-8] says what is going on and how much time is left', () => {
    expect(ended.stdout).toMatch(/\d+ of \d+ parts done · about .* left · /);
  });

  it('[DEMO-9] teaches a point the tasks of the point before and more, all of them solved', () => {
    const [few, many] = [listed('tasks-0.txt'), listed('tasks-12.txt')];
    expect(many.slice(0, few.length)).toEqual(few);
    expect(many.length - few.length).toBe(12);
    const collected = new Set([...tasksOf('worlds/apps', 'collect'), ...tasksOf('worlds/made-up', 'collect')]);
    expect(new Set(many).isSubsetOf(collected)).toBe(true);
    expect(data.worlds?.points.at(-1)?.apps).toBeGreaterThan(0);
  });

  it(
    '[DEMO-10] changes nothing when it is done and asked again, and refuses other options',
    async () => {
      const again = await runProgram(quick, { folder });
      expect(again.code).toBe(0);
      const now = readReportData(JSON.parse(readFileSync(join(folder, 'study', 'demo.json'), 'utf8')));
      expect(now.worlds).toEqual(data.worlds);
      expect(now.claims).toEqual(data.claims);
      const other = await runProgram([...quick, '--seed', '2'], { folder });
      expect(other.code).toBe(2);
      expect(other.stderr).toContain('begun with other options');
    },
    tooLong,
  );

  it('[DEMO-5] ends with a report that opens in Chromium without a word; its first screen has the curve', async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    const noise: string[] = [];
    page.on('console', message => noise.push(message.text()));
    page.on('pageerror', error => noise.push(error.message));
    await page.goto(pathToFileURL(join(folder, 'study', 'report.html')).href);
    expect(noise).toEqual([]);
    const text = (await page.locator('body').innerText()).replaceAll('\u00A0', ' ');
    for (const { claim } of data.claims) expect(text).toContain(claim);
    for (const { label } of data.arms) expect(text).toContain(label);
    for (const chart of await page.locator('.chart svg').all()) {
      const box = await chart.boundingBox();
      expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThan(100);
    }
    const curve = await page.locator('.worlds').boundingBox();
    expect((curve?.y ?? 900) + (curve?.height ?? 0)).toBeLessThan(900);
    expect(await page.locator('.step').count()).toBeGreaterThan(5);
    await page.close();
  });

  it(
    '[DEMO-12] a run of the demo says why episodes fail, and gives rows whose advantages can be computed again',
    async () => {
      const run = join('study', 'teachers', 'adaptive');
      const ask = async (...args: string[]): Promise<string> => {
        const { code, stdout, stderr } = await runProgram(args, { folder });
        expect([args[0], code, code === 0 ? '' : stderr]).toEqual([args[0], 0, '']);
        return stdout;
      };
      expect(await ask('annotate', run)).toMatch(/localise|agent-debug +critical/);
      const failed = await ask('inspect', run, '--where', "outcome = 'failed'");
      const key = /^failed +(\S.*?) {2,}\d/m.exec(failed)?.[1] as string;
      expect(await ask('inspect', run, key)).toMatch(/Went wrong \([a-z-]+\): .+/);
      await ask('report', run);
      const page = await browser.newPage();
      await page.goto(pathToFileURL(join(folder, run, 'report.html')).href);
      const causes = page.locator('table', { hasText: 'What to do' });
      expect(await causes.locator('tbody tr').count()).toBeGreaterThan(0);
      for (const row of await causes.locator('tbody tr').all())
        expect(await row.innerText()).toMatch(/Task: .*espalier inspect .*\./s);
      expect(await causes.innerText()).not.toMatch(/detour|mostly go wrong/);
      // Sentences are read from the left.
      expect(
        await causes
          .locator('td')
          .last()
          .evaluate(cell => getComputedStyle(cell).textAlign),
      ).toBe('left');
      await page.close();
      const bytes = ['--tokens', 'verl', '--tokenizer', 'bytes', '--format', 'jsonl', '--out', 'rows'];
      expect(await ask('export', run, '--advantage', 'gigpo', ...bytes)).toContain('Advantages: gigpo, ');
      expectSameAdvantages(join(folder, 'rows'));
    },
    tooLong,
  );

  it('[STUDIO-5] leads a newcomer through the studio by clicks alone: why, compare, take over, export', async () => {
    const studio = await openStudio(join(folder, 'study'));
    const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
    await page.goto(studio.link);
    await walkStudio(page, { run: 'teachers/adaptive', isEvaluated: true, press: byMouse });
    const rows = readFileSync(join(folder, 'study/teachers/adaptive/export/corrections.jsonl'), 'utf8');
    expect(rows).toContain('"reason":"It was the wrong element."');
    await page.close();
    await studio.close();
  });
});
