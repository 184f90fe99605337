import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foldEpisode } from '../src/core/episode/record.ts';
import { collectRun, type Collected } from '../src/runs/collect.ts';
import { readConfig, type RunConfig } from '../src/runs/config/config.ts';
import { openReviewQueue } from '../src/runs/reviews/review-queue.ts';
import { openStore } from '../src/store/store.ts';
import { createSystemHost } from '../src/system/workers/host.ts';
import { launchChromium } from './chromium.ts';
import { violations } from './fixtures/studio/axe.ts';
import { openStudio, studioSource, writeRun } from './fixtures/studio/open-studio.ts';

const folder = mkdtempSync(join(tmpdir(), 'espalier-reviews-'));
const queues = mkdtempSync(join(tmpdir(), 'espalier-queues-'));
const host = createSystemHost({ workers: 0 });
let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});

afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
  rmSync(queues, { recursive: true });
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

describe('the files of the review queue', () => {
  const place = join(queues, 'files/reviews');
  const question = {
    kind: 'correct',
    episode: 'one',
    instruction: 'Star it.',
    history: [],
    screen: 'page "Mail"',
    reason: 'no',
    rejected: null,
    opinions: 2,
  } as const;
  const answer = { kind: 'correct', action: null } as const;

  it('[STUDIO-24] takes spellings of one name for one person', () => {
    const queue = openReviewQueue(join(queues, 'names'), () => 1);
    const id = queue.ask(question);
    queue.answer(id, { person: 'Ann Lee', answer });
    expect(() => queue.answer(id, { person: ' ann  lee', answer })).toThrow('has answered this question already');
    // Both were written by two programs at once, or by an earlier version.
    const file = join(queues, 'names/reviews', `${id}.answer-0002.json`);
    writeFileSync(file, JSON.stringify({ person: 'ANN LEE', answer }));
    expect(queue.opinions(id).map(({ person }) => person)).toEqual(['Ann Lee']);
  });

  it('[STUDIO-24] shows questions though a stray or damaged file lies beside them', () => {
    const queue = openReviewQueue(join(queues, 'files'), () => 1);
    const id = queue.ask(question);
    queue.answer(id, { person: 'Ann', answer });
    writeFileSync(join(place, 'notes.question.json'), 'my notes');
    writeFileSync(join(place, '0123456789abcdef.question.json'), '{"at":');
    writeFileSync(join(place, `${id}.answer-0002.json`), '[]');
    expect(queue.ids()).toEqual([id]);
    expect(queue.opinions(id)).toHaveLength(1);
    expect(queue.problems()).toEqual([
      expect.stringContaining('0123456789abcdef.question.json'),
      expect.stringContaining('answer-0002.json'),
    ]);
    rmSync(join(place, '0123456789abcdef.question.json'));
    expect(queue.problems()).toHaveLength(1);
  });

  it('[STUDIO-24] counts one person once in the agreement of all runs', async () => {
    const runs = join(queues, 'agreed');
    for (const [name, people] of [
      ['a', ['Ann', 'Ben']],
      ['b', ['ann', 'BEN']],
    ] as const) {
      writeRun(join(runs, name), []);
      const queue = openReviewQueue(join(runs, name), () => 1);
      const { reason: _reason, rejected: _rejected, ...rest } = question;
      const id = queue.ask({ ...rest, kind: 'review', steps: [], passes: null });
      for (const person of people) queue.answer(id, { person, answer: { kind: 'review', accept: true } });
    }
    const source = studioSource(runs);
    expect(source.reviews.list().agreement.pairs).toEqual([{ people: ['Ann', 'Ben'], questions: 2, kappa: null }]);
    await source.close();
  });
});

describe('people at the studio as teachers', () => {
  it('[STUDIO-14] answers a run that waits: a branch is rejected and corrected by clicks, signed with a name', async () => {
    const done = collect('clicked', 1);
    await expect.poll(() => studioSource(folder).reviews.list().questions.length, { timeout: 20_000 }).toBe(1);
    const studio = await openStudio(folder);
    const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
    await page.goto(studio.link);
    await page.getByRole('link', { name: 'Review queue (1 waiting)' }).click();
    await page.getByRole('button', { name: 'Make a link for another person' }).click();
    const link = (await page.locator('code').first().textContent()) ?? '';
    const other = await browser.newPage();
    await other.goto(link);
    await other.getByRole('link', { name: 'Review queue (1 waiting)' }).waitFor();
    await other.close();
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

  it('[STUDIO-14] [STUDIO-38] waits for as many people as it was told, takes what most of them say, and counts the rest', async () => {
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
