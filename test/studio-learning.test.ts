import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StoredEpisode } from '../src/core/episode/journal.ts';
import { launchChromium } from './chromium.ts';
import { scriptedEpisode } from './fixtures/episodes.ts';
import { violations } from './fixtures/studio/axe.ts';
import { openStudio, writeRun, type OpenedStudio } from './fixtures/studio/open-studio.ts';

const folder = mkdtempSync(join(tmpdir(), 'espalier-learning-'));
const hostile = '<img src=x onerror="document.title=\'broken\'">\u202e';
let studio: OpenedStudio;
let browser: Browser;
let context: BrowserContext;

/** Two rounds: the student slips twice, then once; it passes one of two tasks of an evaluation, then both. */
async function learningEpisodes(): Promise<StoredEpisode[]> {
  const evaluated = async (round: number, index: number, passes: boolean): Promise<StoredEpisode> => {
    const made = await scriptedEpisode({
      index: 10 + index,
      round,
      phase: 'evaluate',
      seed: 1_000_001 + index,
      template: index === 0 ? 'star-message' : 'contact-phone',
      outcome: passes ? 'passed' : 'failed',
    });
    const student = `student ${round}${hostile}`;
    return { ...made, head: { ...made.head, student, key: `evaluate/${round}/${made.head.task.id}/0/${student}` } };
  };
  return [
    await scriptedEpisode({ index: 0, round: 1, slips: 2 }),
    await scriptedEpisode({ index: 1, round: 1, seed: 2, slips: 1, outcome: 'failed', branch: 'failing' }),
    await scriptedEpisode({ index: 2, round: 2, seed: 3, slips: 1 }),
    await evaluated(1, 0, true),
    await evaluated(1, 1, false),
    await evaluated(2, 0, true),
    await evaluated(2, 1, true),
  ];
}

beforeAll(async () => {
  const episodes = await learningEpisodes();
  writeRun(join(folder, 'first'), episodes);
  writeRun(join(folder, 'second'), episodes.slice(0, 5));
  studio = await openStudio(folder);
  browser = await launchChromium();
  context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  await (await context.newPage()).goto(studio.link);
});

afterAll(async () => {
  await browser.close();
  await studio.close();
  rmSync(folder, { recursive: true });
});

describe('the learning view', () => {
  it('[STUDIO-23] has success by round with intervals, and what the teacher was asked until then', () => {
    const { rows, figures, levels } = studio.source.learning.view('first');
    expect(levels.map(({ level }) => level)).toEqual(['newInstances', 'collected']);
    expect(rows.map(({ round, queries }) => [round, queries])).toEqual([
      // Round 1: two slips and one slip, each reviewed and corrected; round 2: one more.
      [1, 6],
      [2, 8],
    ]);
    expect(rows.map(({ rates }) => rates.newInstances?.rate)).toEqual([0.5, 1]);
    expect(rows[0]?.rates.collected).toMatchObject({ rate: 0.5, passed: 1, of: 2 });
    // Wilson's interval of 1 of 2, by hand.
    expect(rows[0]?.rates.collected?.low).toBeCloseTo(0.0945, 3);
    expect(figures.map(({ level, across }) => `${level} by ${across}`)).toEqual([
      'newInstances by round',
      'collected by round',
      'newInstances by queries',
    ]);
  });

  it('[STUDIO-23] compares students on each template, and the latest ones of all runs', () => {
    const one = studio.source.learning.view('first');
    expect(one.students.map(({ round }) => round)).toEqual([1, 2]);
    expect(one.templates.map(({ template, rates }) => [template, ...rates.map(rate => rate?.rate)])).toEqual([
      ['mail/contact-phone', 0, 1],
      ['mail/star-message', 1, 1],
    ]);
    const all = studio.source.learning.view();
    expect(all.students.map(({ run, round }) => [run, round])).toEqual([
      ['first', 2],
      ['second', 1],
    ]);
    expect(all.templates[0]?.rates.map(rate => rate?.rate)).toEqual([1, 0]);
  });

  it('[STUDIO-23] draws with the code of the report, and names of runs are no markup', () => {
    const chart = studio.source.learning.chart({ run: 'first', level: 'newInstances', across: 'queries' });
    expect(chart).toContain('Teacher queries so far');
    expect(chart).toContain('class="band"');
    expect(chart).not.toContain('<img');
    const missing = { run: 'first', level: 'heldOut', across: 'round' } as const;
    expect(() => studio.source.learning.chart(missing)).toThrow('Nothing was measured on heldOut');
  });

  it('[STUDIO-23] counts in how many episodes of a round a signal spoke', async () => {
    const { rounds, labels } = await studio.source.learning.signals('first');
    expect(rounds).toEqual([1, 2]);
    const rejected = labels.find(({ signal }) => signal === 'first-rejected');
    expect(rejected?.rates.map(({ passed, of }) => [passed, of])).toEqual([
      [2, 2],
      [1, 1],
    ]);
    const { signal = '', label = '' } = rejected ?? {};
    expect(await studio.source.learning.signalChart({ run: 'first', signal, label })).toContain('<svg');
    await expect(studio.source.learning.signalChart({ run: 'first', signal, label: 'none' })).rejects.toThrow(
      'said no "none"',
    );
  });

  it.each(['light', 'dark'] as const)('[STUDIO-23] has no violation that axe finds, in %s colours', async scheme => {
    const page = await context.newPage();
    const broken: string[] = [];
    page.on('requestfailed', request => broken.push(request.url()));
    page.on('console', message => broken.push(message.text()));
    await page.emulateMedia({ colorScheme: scheme });
    for (const route of ['#/run/first/learning?signal=first-rejected', '#/learning']) {
      await page.goto(`${studio.url}/${route}`);
      await page.getByRole('heading', { name: 'Students compared by template' }).waitFor();
      if (route.includes('first')) await page.getByRole('img', { name: /, by round$/ }).waitFor();
      const sizes = await page
        .locator('img')
        .evaluateAll(all => all.map(img => (img as HTMLImageElement).naturalWidth));
      expect(sizes.length).toBeGreaterThan(1);
      expect(sizes.every(width => width > 0)).toBe(true);
      expect(await violations(page)).toEqual([]);
    }
    expect(await page.title()).toBe('Espalier studio');
    expect(broken).toEqual([]);
    await page.close();
  });

  it('[STUDIO-23] leads from a rate to the episodes it was counted from', async () => {
    const page = await context.newPage();
    await page.goto(`${studio.url}/#/run/first/learning`);
    const row = page.getByRole('row', { name: /mail\/contact-phone/ });
    await row.getByRole('link').first().click();
    await page.getByRole('heading', { name: /^1 of 7 episodes/ }).waitFor();
    expect(page.url()).toContain('phase=evaluate');
    await page.close();
  });
});
