import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readReportData, type ReportData } from '../src/analysis/report/data.ts';
import type { Phase } from '../src/core/episode/events.ts';
import { isEvaluationSeed } from '../src/runs/settings/seeds.ts';
import { openStore } from '../src/store/store.ts';
import { launchChromium } from './chromium.ts';
import { gigpoAgain, type GigpoRow } from './fixtures/credit/gigpo-again.ts';
import { library, runProgram, type Ended } from './fixtures/program.ts';
import { openStudio } from './fixtures/studio/open-studio.ts';
import { byMouse, walkStudio } from './fixtures/studio/walk.ts';

const folder = mkdtempSync(join(tmpdir(), 'espalier-demo-'));
const tooLong = 600_000;
/** A model with random weights: it errs in all it does, so that there is much to correct. */
const toy = `small:${join(import.meta.dirname, 'fixtures', 'small')}`;
const quick = ['demo', library, '--student', toy, '--workers', '0', '--out', 'study'];
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
  expect(steps.length).toBeGreaterThan(5);
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
  it('[DEMO-1] evaluates the model before and after, beside the baselines, on tasks that were never collected on', () => {
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    const rounds = data.arms[0]?.rounds.map(({ round, newInstances, heldOut }) => [round, newInstances?.n, heldOut?.n]);
    expect(rounds).toEqual([
      [0, 4, 2],
      [1, 4, 2],
    ]);
    const baselines = ['frequent ending', 'infeasible', 'planner', 'random', 'replay'];
    expect(data.baselines.map(({ name }) => name).toSorted()).toEqual(baselines);
    const collected = tasksOf('corrected', 'collect');
    expect([...collected].some(id => isEvaluationSeed(Number(id.split('/')[2])))).toBe(false);
    expect(tasksOf('corrected', 'evaluate')).toEqual(tasksOf('unseen', 'evaluate'));
  });

  it('[DEMO-2] corrections raise what the model passes', () => {
    const [before, after] = data.arms[0]?.rounds.map(({ newInstances }) => newInstances?.rate ?? 0) ?? [];
    expect(after).toBeGreaterThan(before ?? 1);
  });

  it('[DEMO-3] figures of a GPU are marked, with the command and the hash', () => {
    expect(data.recorded.length).toBeGreaterThan(0);
    for (const { title, command, sha256 } of data.recorded) {
      expect(sha256).toMatch(/^[0-9a-f]{64}$/);
      expect(ended.stdout).toContain(`${title} (recorded on a GPU, not measured here)`);
      expect(ended.stdout).toContain(command);
    }
  });

  it('[DEMO-4] says of every claim whether it holds, on the terminal and in the report', () => {
    expect(data.claims.length).toBeGreaterThanOrEqual(2);
    for (const { claim, holds, evidence } of data.claims) {
      expect(evidence).toMatch(/\d/);
      expect(ended.stdout).toContain(`${holds === true ? '✓' : '✗'}  ${claim}`);
    }
    expect(ended.stdout).toContain(`Report: ${join('study', 'report.html')}`);
  });

  it(
    '[DEMO-10] changes nothing when it is done and asked again, and refuses other options',
    async () => {
      const again = await runProgram(quick, { folder });
      expect(again.code).toBe(0);
      const now = readReportData(JSON.parse(readFileSync(join(folder, 'study', 'demo.json'), 'utf8')));
      expect(now.arms).toEqual(data.arms);
      expect(now.claims).toEqual(data.claims);
      const other = await runProgram([...quick, '--seed', '2'], { folder });
      expect(other.code).toBe(2);
      expect(other.stderr).toContain('begun with other options');
    },
    tooLong,
  );

  it('[DEMO-5] ends with a report that opens in Chromium without a word; its first screen has the figures and the claims', async () => {
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
    const keys = await page.locator('.keys').boundingBox();
    expect((keys?.y ?? 900) + (keys?.height ?? 0)).toBeLessThan(900);
    expect((await page.locator('#claims').boundingBox())?.y).toBeLessThan(900);
    expect(await page.locator('.step').count()).toBeGreaterThan(5);
    await page.close();
  });

  it(
    '[DEMO-12] a run of the demo says why episodes fail, and gives rows whose advantages can be computed again',
    async () => {
      const run = join('study', 'corrected');
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
    await walkStudio(page, { run: 'corrected', isEvaluated: true, press: byMouse });
    const rows = readFileSync(join(folder, 'study/corrected/export/corrections.jsonl'), 'utf8');
    expect(rows).toContain('"reason":"It was the wrong element."');
    await page.close();
    await studio.close();
  });
});
