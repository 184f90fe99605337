import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StoredEpisode } from '../src/core/episode/journal.ts';
import { openStore } from '../src/store/store.ts';
import { launchChromium } from './chromium.ts';
import { scriptedEpisode } from './fixtures/episodes.ts';
import { violations } from './fixtures/studio/axe.ts';
import { openStudio, studioEpisodes, writeRun, type OpenedStudio } from './fixtures/studio/open-studio.ts';

const folder = mkdtempSync(join(tmpdir(), 'espalier-studio-layout-'));
let browser: Browser;
let studio: OpenedStudio;
let page: Page;
let taken = '';

beforeAll(async () => {
  const episodes = await studioEpisodes();
  writeRun(join(folder, 'one'), episodes);
  writeRun(join(folder, 'another-run-with-a-long-name'), episodes.slice(0, 2));
  writeRun(join(folder, 'given-up'), [await scriptedEpisode({ outcome: 'discarded', seed: 5 })]);
  const broke = await scriptedEpisode({ outcome: 'errored', seed: 6 });
  writeRun(join(folder, 'broke'), [{ ...broke, end: { ...broke.end, message: 'reversed \u202etxt.exe\u0000' } }]);
  writeRun(join(folder, 'long'), [withLongWords(episodes[1] as StoredEpisode)]);
  mkdirSync(join(folder, 'empty'));
  writeRun(join(folder, 'empty'), []);
  studio = await openStudio(folder);
  const at = { run: 'one', episode: 1, node: 0, person: 'me', replaces: null };
  taken = (await studio.source.takeOvers.open(at)).id;
  browser = await launchChromium();
  page = await (await browser.newContext()).newPage();
  await page.goto(studio.link);
});

afterAll(async () => {
  await browser.close();
  await studio.close();
  rmSync(folder, { recursive: true });
});

/** Steps that name something without a space to break at. */
function withLongWords(episode: StoredEpisode): StoredEpisode {
  const text = `click "${'unbroken'.repeat(12)}"`;
  return { ...episode, events: episode.events.map(event => (event.kind === 'step' ? { ...event, text } : event)) };
}

/** Every view, with a text that shows once it is loaded. */
function views(): readonly (readonly [route: string, text: string])[] {
  return [
    ['#/', 'Review queue'],
    ['#/compare?left=one&right=another-run-with-a-long-name', 'All runs'],
    ['#/learning', 'The numbers'],
    ['#/reviews', 'Make a link for another person'],
    ['#/run/one', 'Export training rows'],
    ['#/run/given-up', '1 of 1 episodes'],
    ['#/run/one?text=nothing-like-it', 'Clear the filter'],
    ['#/run/one/failures', 'What to do'],
    ['#/run/one/tasks', 'Right ending'],
    ['#/run/one/archive', 'What an export of this run keeps'],
    ['#/run/one/learning', 'The numbers'],
    ['#/run/one/episode/2', 'Screen before this step'],
    ['#/run/one/episode/2?view=branches', 'First branch: screen'],
    ['#/run/long/episode/1?view=branches', 'First branch: screen'],
    ['#/nowhere', 'There is no such page'],
    ['#/run/one/episode/1?view=rows', 'Marked:'],
    ['#/run/one/report', 'Report of one'],
    [`#/take-over/${taken}`, 'Your branch'],
  ];
}

/** What is wider than the page, and controls that cut their text: of a select every choice, of an input also its hint. */
function tooWide(): Promise<string[]> {
  return page.evaluate(() => {
    const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    const main = document.querySelector('main') as HTMLElement;
    const cut = [...document.querySelectorAll('button, .tabs a, summary, .row > span')].filter(
      own => own.scrollWidth > own.clientWidth + 1 && getComputedStyle(own).display !== 'inline',
    );
    const pen = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D;
    const room = (own: Element): number => {
      const style = getComputedStyle(own);
      pen.font = style.font;
      return own.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    };
    // A select has an arrow of about 20 pixels; one as wide as its line may shorten the words of others.
    const selects = [...document.querySelectorAll('select')].filter(own => {
      const space = room(own) - 16;
      const isWhole = own.parentElement !== null && own.offsetWidth >= own.parentElement.clientWidth - 1;
      return !isWhole && [...own.options].some(({ text }) => pen.measureText(text).width > space);
    });
    const inputs = [...document.querySelectorAll('input')].filter(own => {
      const space = room(own);
      return own.offsetWidth > 0 && pen.measureText(own.value || own.placeholder).width > space + 1;
    });
    return [
      ...selects.map(own => `cut select: ${own.parentElement?.textContent}`),
      ...inputs.map(own => `cut input: ${own.value || own.placeholder}`),
      ...(wide > 0 ? [`page by ${wide}`] : []),
      ...(main.scrollWidth > main.clientWidth ? [`main by ${main.scrollWidth - main.clientWidth}`] : []),
      ...cut.map(own => `cut: ${own.textContent}`),
    ];
  });
}

describe('the layout of the studio', () => {
  it.each([
    [390, 'light'],
    [390, 'dark'],
    [1024, 'light'],
    [1440, 'dark'],
    [2200, 'light'],
  ] as const)('[STUDIO-33] fits a page of %i pixels in every view, %s', async (width, colorScheme) => {
    const found: string[] = [];
    await page.setViewportSize({ width, height: 860 });
    await page.emulateMedia({ colorScheme });
    for (const [route, text] of views()) {
      await page.goto(`${studio.url}/${route}`);
      await page.getByText(text).first().waitFor();
      found.push(...(await tooWide()).map(one => `${route} ${one}`));
    }
    expect(found).toEqual([]);
  });

  it('[STUDIO-33] names every point of a figure by hover and by keyboard', async () => {
    await page.setViewportSize({ width: 1440, height: 860 });
    await page.goto(`${studio.url}/#/compare?left=one&right=another-run-with-a-long-name`);
    const points = page.getByRole('group', { name: /^Points of: Success against/ }).getByRole('img');
    await points.first().hover();
    await page
      .getByText(/one.*passed \(95 % interval/)
      .first()
      .waitFor();
    await page.mouse.move(0, 0);
    await points.first().focus();
    await page.keyboard.press('ArrowRight');
    expect(await points.nth(1).evaluate(own => own === document.activeElement)).toBe(true);
    expect(await page.locator('.tip').textContent()).toBe(await points.nth(1).getAttribute('aria-label'));
    await page.goto(`${studio.url}/#/run/one/learning`);
    const curve = page.getByRole('group', { name: /^Points of: Success over rounds/ }).first();
    await curve.getByRole('img').first().focus();
    expect(await page.locator('.tip').textContent()).toMatch(/^one, round 1, .* of \d/);
  });

  it('[STUDIO-30] says why a table is empty, and clears the filter', async () => {
    await page.goto(`${studio.url}/#/run/one?text=nothing-like-it`);
    await page.getByText('None of the 4 episodes matches the filter.').waitFor();
    await page.getByRole('button', { name: 'Clear the filter' }).click();
    await page.getByRole('heading', { name: '4 of 4 episodes' }).waitFor();
    await page.goto(`${studio.url}/#/run/empty`);
    await page.getByText('No episode has ended yet.').waitFor();
    expect(await page.getByRole('button', { name: 'Clear the filter' }).count()).toBe(0);
  });

  it('[STUDIO-10] says in plain words that runs are one, or equal', async () => {
    await page.goto(`${studio.url}/#/compare?left=one&right=one`);
    await page.getByText('This is one and the same run.').waitFor();
    await page.goto(`${studio.url}/#/compare?left=one&right=another-run-with-a-long-name`);
    const told = page.getByText('Both runs passed exactly the same episodes');
    await told.waitFor();
    expect(await told.locator('..').textContent()).not.toContain('interval');
  });

  it('[STUDIO-36] leads from a card to the failures that are grouped by cause', async () => {
    await page.goto(`${studio.url}/#/`);
    const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'given-up' }) });
    await card.getByRole('link', { name: 'Failures' }).click();
    await page.getByRole('heading', { name: '1 of 1 episodes' }).waitFor();
    expect(page.url()).toContain('failure=any');
  });

  it('[STUDIO-2] shows control characters of the message that an episode ended with as signs', async () => {
    await page.goto(`${studio.url}/#/run/broke/episode/1`);
    const told = page.getByRole('alert').filter({ hasText: 'reversed' });
    await told.waitFor();
    expect(await told.textContent()).toBe('reversed �txt.exe␀');
  });

  it('[STUDIO-31] says of an address without a view that there is no such page', async () => {
    for (const route of ['#/nowhere', '#/run/one/nowhere']) {
      await page.goto(`${studio.url}/${route}`);
      await page.getByRole('heading', { level: 1, name: 'There is no such page' }).waitFor();
      expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
    }
    await page.getByRole('main').getByRole('link', { name: 'All runs' }).click();
    await page.getByRole('heading', { level: 1, name: 'Runs' }).waitFor();
  });

  it('[STUDIO-7] has no violation that axe finds on the card of a run that is written', async () => {
    await page.goto(`${studio.url}/#/`);
    await page.getByRole('heading', { level: 1, name: 'Runs' }).waitFor();
    // A name that is shorter than the word beside it: the two then count as a text with a link.
    const store = openStore({ path: join(folder, 'long/store.db') });
    const { head, events, end } = await scriptedEpisode({ seed: 7, index: 1 });
    const log = store.begin(head);
    for (const event of events) log.append(event);
    log.end(end);
    store.close();
    await page.getByText('running', { exact: true }).waitFor();
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      expect([colorScheme, ...(await violations(page))]).toEqual([colorScheme]);
    }
  });

  it('[STUDIO-7] has a first heading on a page that could not be loaded', async () => {
    for (const route of ['run/one/episode/99', 'run/none/failures', 'run/none/tasks', 'take-over/none']) {
      await page.goto(`${studio.url}/#/${route}`);
      await page.getByRole('alert').waitFor();
      expect([route, await page.getByRole('heading', { level: 1 }).count()]).toEqual([route, 1]);
    }
  });

  it('[STUDIO-31] says of an address with a word for a number that there is no such episode', async () => {
    await page.goto(`${studio.url}/#/run/one/episode/abc`);
    await page.getByText('There is no episode "abc".').waitFor();
    expect(await page.getByText('not valid').count()).toBe(0);
  });

  it('[STUDIO-32] shows the rows of the table that is chosen, with what is in the loss', async () => {
    await page.goto(`${studio.url}/#/run/one/episode/1?view=rows`);
    await page.getByLabel('Table').selectOption('preferences');
    await page
      .getByText(/^preferences · node/)
      .first()
      .click();
    await page.getByText('assistant – rejected, learned to avoid').first().waitFor();
    expect(page.url()).toContain('table=preferences');
  });
});
