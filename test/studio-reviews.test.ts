import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foldEpisode } from '../src/core/episode/record.ts';
import { collectRun, type Collected } from '../src/runs/collect.ts';
import { readConfig, type RunConfig } from '../src/runs/config/config.ts';
import { openStore } from '../src/store/store.ts';
import { createSystemHost } from '../src/system/host.ts';
import { launchChromium } from './chromium.ts';
import { violations } from './fixtures/studio/axe.ts';
import { openStudio, studioSource } from './fixtures/studio/open-studio.ts';

const folder = mkdtempSync(join(tmpdir(), 'espalier-reviews-'));
const host = createSystemHost({ workers: 0 });
let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});

afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

function configOf(run: string, opinions: number): RunConfig {
  return readConfig(
    {
      run,
      environments: ['mail'],
      templates: ['star-message'],
      instances: 1,
      student: { kind: 'random' },
      teacher: { kind: 'studio', opinions },
      limits: { interventions: 1 },
    },
    'The test',
  );
}

function collect(run: string, opinions: number, signal?: AbortSignal): Promise<Collected> {
  return collectRun({ config: configOf(run, opinions), folder: join(folder, run), host, signal });
}

function recordsOf(run: string) {
  const store = openStore({ path: join(folder, run, 'store.db'), readOnly: true });
  const records = [...store.episodes()].map(foldEpisode);
  store.close();
  return records;
}

describe('people at the studio as teachers', () => {
  it('[STUDIO-14] answers a run that waits: a branch is rejected and corrected by clicks, signed with a name', async () => {
    const done = collect('clicked', 1);
    await expect.poll(() => studioSource(folder).reviews.list().questions.length, { timeout: 20_000 }).toBe(1);
    const studio = await openStudio(folder);
    const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
    await page.goto(studio.link);
    await page.getByRole('link', { name: 'Review queue (1 waiting)' }).click();
    await page.getByRole('textbox', { name: 'You are' }).fill('Ann');
    await page.getByRole('radio').first().check();
    await page.getByLabel('Why it is wrong').fill('It leads nowhere.');
    const found = await violations(page);
    await page.getByRole('button', { name: 'Reject from the chosen step on' }).click();
    await page.getByText('It leads nowhere.').waitFor();
    await page.getByRole('heading', { name: 'Take the right step' }).waitFor();
    found.push(...(await violations(page)));
    await page.getByRole('button', { name: 'Finish the task' }).click();
    await page.getByText('Nothing waits for you').waitFor();
    expect(found).toEqual([]);
    expect((await done).ended).toBe(1);
    const [record] = recordsOf('clicked');
    const ann = { role: 'human', name: 'Ann' };
    expect(record?.reviews[0]).toMatchObject({ by: ann, accept: false, reason: 'It leads nowhere.' });
    const { node = 0 } = record?.corrections[0] ?? {};
    expect(record?.tree.node(node)).toMatchObject({ actor: ann, action: { kind: 'finish' } });
    await page.close();
    await studio.close();
  });

  it('[STUDIO-14] waits for as many people as it was told, takes what most of them say, and counts the rest', async () => {
    const stop = new AbortController();
    const first = collect('two', 2, stop.signal);
    const source = studioSource(folder);
    const waiting = () => source.reviews.list().questions.filter(({ run }) => run === 'two');
    await expect.poll(() => source.refresh() && waiting().length, { timeout: 20_000 }).toBe(1);
    const { id = '' } = waiting()[0] ?? {};
    const place = { run: 'two', id };
    const reject = (at: number) => ({ kind: 'review', accept: false, at, reason: 'no' }) as const;
    expect(source.reviews.answer({ ...place, person: 'Ann' }, reject(0))).toEqual({
      before: [],
      agrees: null,
      isLate: false,
    });
    expect(() => source.reviews.answer({ ...place, person: 'Ann' }, reject(0))).toThrow('Ann has answered');
    expect(() => source.reviews.answer({ ...place, person: 'Ben' }, reject(99))).toThrow('a step from 0');
    expect(() => source.reviews.answer({ ...place, id: '../x', person: 'Ben' }, reject(0))).toThrow('no question');

    // The run is stopped and started again: what Ann said is still there.
    stop.abort();
    expect((await first).ended).toBe(0);
    const again = collect('two', 2);
    expect(source.reviews.answer({ ...place, person: 'Ben' }, reject(0))).toMatchObject({
      before: ['Ann'],
      agrees: true,
    });
    await expect.poll(() => waiting().find(({ kind }) => kind === 'correct')?.id, { timeout: 20_000 }).toBeDefined();
    const late = source.reviews.answer({ ...place, person: 'Cem' }, { kind: 'review', accept: true });
    expect(late).toEqual({ before: ['Ann', 'Ben'], agrees: false, isLate: true });
    const correct = { run: 'two', id: waiting().find(({ kind }) => kind === 'correct')?.id ?? '' };
    for (const person of ['Ann', 'Ben'])
      source.reviews.answer({ ...correct, person }, { kind: 'correct', action: { kind: 'finish' } });
    expect((await again).ended).toBe(1);
    expect(recordsOf('two')[0]?.reviews[0]).toMatchObject({ by: { role: 'human', name: 'Ann' }, accept: false });
    const { questions, observed } = source.reviews.list().agreement;
    expect([questions, observed]).toEqual([1, expect.closeTo(1 / 3, 12)]);
    await source.close();
  });
});
