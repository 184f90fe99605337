import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readReportData, type ReportData } from '../src/analysis/report/data.ts';
import type { Phase } from '../src/core/episode/events.ts';
import { openStore } from '../src/store/store.ts';
import { launchChromium } from './chromium.ts';
import { runProgram, type Ended } from './fixtures/program.ts';

const folder = mkdtempSync(join(tmpdir(), 'espalier-demo-'));
const tooLong = 600_000;
let browser: Browser;
let ended: Ended;
let data: ReportData;

beforeAll(async () => {
  const short = ['--rounds', '2', '--instances', '1', '--eval-instances', '2'];
  ended = await runProgram(['demo', 'mail', '--out', 'study', ...short], { folder });
  data = readReportData(JSON.parse(readFileSync(join(folder, 'study', 'demo.json'), 'utf8')));
  browser = await launchChromium();
}, tooLong);

afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

function tasksOf(arm: string, phase: Phase): Set<string> {
  const store = openStore({ path: join(folder, 'study', arm, 'store.db'), readOnly: true });
  const tasks = new Set(Array.from(store.summaries({ phase }), ({ head }) => head.task.id));
  store.close();
  return tasks;
}

describe('the demo', () => {
  it('[DEMO-1] evaluates every arm after every round, on both levels, on tasks that were never collected on', () => {
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(data.arms.map(({ id }) => id)).toEqual([
      'src-3',
      'adaptive',
      'k-1',
      'k-inf',
      'errors',
      'imitation',
      'archive',
    ]);
    for (const { rounds } of data.arms) {
      expect(rounds.map(({ round }) => round)).toEqual([1, 2]);
      for (const { round, newInstances, heldOut, newComposition, unseenSkill } of rounds) {
        // Two students after the last round.
        const students = round === 2 ? 2 : 1;
        expect([newInstances?.n, newInstances?.errored]).toEqual([24 * students, 0]);
        expect([heldOut?.n, heldOut?.errored]).toEqual([12 * students, 0]);
        expect((newComposition?.n ?? 0) + (unseenSkill?.n ?? 0)).toBe(12 * students);
      }
    }
    expect(data.baselines.map(({ name }) => name).toSorted()).toEqual([
      'frequent ending',
      'infeasible',
      'planner',
      'random',
      'replay',
    ]);
    for (const { id } of data.arms) {
      const [collected, evaluated] = (['collect', 'evaluate'] as const).map(phase => tasksOf(id, phase));
      expect(collected?.isDisjointFrom(evaluated ?? new Set())).toBe(true);
      expect(Math.min(collected?.size ?? 0, evaluated?.size ?? 0)).toBeGreaterThan(20);
    }
  });

  it('[DEMO-2] shows a student that learns: after two rounds it passes more than the random and the replay baseline', () => {
    const last = data.arms[0]?.rounds.at(-1)?.newInstances?.rate ?? 0;
    const weak = data.baselines.filter(({ name }) => name !== 'planner');
    expect(last).toBeGreaterThan(Math.max(...weak.map(({ newInstances }) => newInstances?.high ?? 1)));
  });

  it('[DEMO-3] lets imitation show as many steps as the first arm asked queries, up to one instance of each template', () => {
    const [asked = 0, shown = 0] = ['src-3', 'imitation'].map(
      id => data.arms.find(arm => arm.id === id)?.rounds.at(-1)?.queries,
    );
    const tasks = [...tasksOf('imitation', 'collect')];
    const templates = new Set(tasks.map(id => id.split('/').slice(0, 2).join('/')));
    expect(templates.size).toBe(12);
    // An instance of every template is the least that can be shown. How many steps one takes is known before only from other instances.
    const stepsOfOne = (shown * templates.size) / tasks.length;
    expect(stepsOfOne).toBeGreaterThan(templates.size);
    expect(Math.abs(asked - shown)).toBeLessThan(stepsOfOne);
  });

  it('[DEMO-4] says of every claim whether it holds, on the terminal and in the report', async () => {
    expect(data.claims.length).toBe(11);
    for (const { claim, holds, evidence } of data.claims) {
      expect(holds).not.toBeNull();
      expect(evidence).toMatch(/\d/);
      expect(ended.stdout).toContain(`${holds === true ? '✓' : '✗'}  ${claim}`);
    }
    expect(ended.stdout).toContain(`Report: ${join('study', 'report.html')}`);
  });

  it('[DEMO-5] ends with a report that opens in Chromium without a word, and shows what was measured', async () => {
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
    expect(await page.locator('.step').count()).toBeGreaterThan(20);
    await page.close();
  });
});
