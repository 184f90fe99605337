import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeLargeEpisode } from '../bench/studio/made-runs.ts';
import type { StoredEpisode } from '../src/core/episode/journal.ts';
import { openProgressFile } from '../src/runs/plan/progress-file.ts';
import { openStore } from '../src/store/store.ts';
import { createSystemClock } from '../src/system/clock.ts';
import { launchChromium } from './chromium.ts';
import { violations } from './fixtures/studio/axe.ts';
import { openStudio, studioEpisodes, writeRun, type OpenedStudio } from './fixtures/studio/open-studio.ts';
import { createTokenEpisodes } from './fixtures/tokens/token-episode.ts';
import { byKeyboard, walkStudio } from './fixtures/studio/walk.ts';

const folder = mkdtempSync(join(tmpdir(), 'espalier-studio-'));
let browser: Browser;
let studio: OpenedStudio;
let context: BrowserContext;
/** Errors of pages, and whatever they say in their console. */
const noise: string[] = [];

beforeAll(async () => {
  const episodes = await studioEpisodes();
  const [first, second] = episodes as [StoredEpisode, StoredEpisode];
  writeRun(join(folder, 'one'), episodes);
  writeRun(join(folder, 'live'), [first]);
  const clock = createSystemClock();
  openProgressFile({ folder: join(folder, 'live'), phase: 'collect', round: 1, planned: 10, clock });
  const task = { ...first.head.task, environment: 'library' };
  writeRun(join(folder, 'lost'), [{ ...first, head: { ...first.head, task } }], './nowhere/library.ts');
  mkdirSync(join(folder, 'large'));
  writeLargeEpisode(join(folder, 'large'), 2500);
  writeTokens(join(folder, 'tokens'));
  const long = 'x'.repeat(10_000_000);
  writeRun(join(folder, 'hostile'), [
    withTexts(first, { screen: `page "Mail"\n  [e1] button "${attack}"`, text: attack, thought: attack }),
    withTexts(second, { screen: long, text: long, thought: long }),
  ]);
  browser = await launchChromium();
  studio = await openStudio(folder);
  context = await browser.newContext({ viewport: { width: 1360, height: 860 } });
  context.on('console', message => noise.push(message.text()));
  context.on('weberror', error => noise.push(error.error().message));
  await (await context.newPage()).goto(studio.link);
});

afterAll(async () => {
  await browser.close();
  await studio.close();
  rmSync(folder, { recursive: true });
});

/** A run with an episode of a model whose server gave token ids. */
function writeTokens(run: string): void {
  const hand = createTokenEpisodes();
  writeRun(run, []);
  const store = openStore({ path: join(run, 'store.db') });
  const asked = hand
    .begin()
    .ask({ prompt: [1, 2], completion: [10, 11] })
    .step();
  hand.write(store, asked.end('passed'));
  store.close();
}

async function visit(route: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${studio.url}/${route}`);
  return page;
}

/** What must never run, and must never be taken for more than text. */
const attack =
  '<img src=x onerror="document.title=\'broken\'"><script>document.title="broken"</script>\u001b[31m\u202e\u0000</pre>';

/** The first step of an episode with other texts. */
function withTexts(episode: StoredEpisode, texts: { screen: string; text: string; thought: string }): StoredEpisode {
  const { thought, ...own } = texts;
  const events = episode.events.map(event =>
    event.kind === 'step' && event.node.id === 1 ? { ...event, ...own, node: { ...event.node, thought } } : event,
  );
  return { ...episode, events };
}

describe('the studio in Chromium', () => {
  it('[STUDIO-5] leads by the keyboard alone from a failure to its cause, another branch, a take-over and an exported correction', async () => {
    const page = await visit('#/');
    await walkStudio(page, { run: 'one', isEvaluated: false, press: byKeyboard });
    const rows = readFileSync(join(folder, 'one/export/corrections.jsonl'), 'utf8').trim().split('\n');
    const made = rows
      .map(row => JSON.parse(row) as Record<string, unknown>)
      .filter(row => row['actor_role'] === 'human');
    expect(made).toEqual([
      expect.objectContaining({ reason: 'It was the wrong element.', actor_name: 'me', pass: true }),
    ]);
    await page.close();
  });

  it('[STUDIO-3] has every filter in the address, and only the rows on the screen in the page', async () => {
    const page = await visit('#/run/one?outcome=passed&text=star');
    await page.getByRole('link', { name: /outcome: passed/ }).waitFor();
    const rows = await page.getByRole('row').count();
    await page.getByRole('link', { name: 'mail/star-message' }).first().click();
    await expect.poll(() => page.url()).toContain('template=mail%2Fstar-message');
    expect(rows).toBeGreaterThan(1);
    await page.getByRole('link', { name: 'Remove all' }).click();
    await expect.poll(() => page.url()).not.toContain('outcome');
    await page.close();
  });

  it('[STUDIO-12] filters by a condition, groups failures by cause, and keeps a view under a name', async () => {
    const page = await visit('#/run/one');
    await page.getByLabel('Condition').fill("signal.first-rejected > 0 and outcome = 'failed'");
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /^1 of \d episodes/ }).waitFor();
    await page.getByLabel('Save this view as').fill('rejected and lost');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'rejected and lost' }).waitFor();
    await page.goto(`${studio.url}/#/run/one/failures`);
    await page.getByRole('table').getByRole('link').first().click();
    await page.getByRole('heading', { name: /^1 of \d episodes/ }).waitFor();
    await page.goto(`${studio.url}/#/run/one`);
    await page.getByRole('heading', { name: /^(\d) of \1 episodes/ }).waitFor();
    await page.getByRole('link', { name: 'rejected and lost' }).click();
    await page.getByRole('heading', { name: /^1 of \d episodes/ }).waitFor();
    await page.getByRole('button', { name: 'Remove the view rejected and lost' }).click();
    await expect.poll(() => page.getByText('Saved views:').count()).toBe(0);
    await page.close();
  });

  it('[STUDIO-7] moves through the tree by keyboard, and the address follows', async () => {
    const page = await visit('#/run/one/episode/1');
    const tree = page.getByRole('application');
    await tree.focus();
    await page.keyboard.press('Home');
    await page.getByRole('heading', { name: 'Step 1:' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('heading', { name: 'Step 2:' }).waitFor();
    expect(page.url()).toContain('node=2');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('r');
    await page.getByText('Rejected here:').waitFor();
    await page.close();
  });

  it('[STUDIO-7] plays the kept path as a film, and a branch that was left behind', async () => {
    const { leaf, steps } = studio.source.outline('one', 1);
    const page = await visit('#/run/one/episode/1');
    await page.getByText('Rejected here:').waitFor();
    await page.getByRole('button', { name: 'Play this branch' }).click();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Play the kept path' }).click();
    const firstKept = steps.find(({ parent, status }) => parent === 0 && status !== 'rolled-back')?.id ?? 0;
    await page.getByRole('heading', { name: `Step ${firstKept}:` }).waitFor();
    await page.getByRole('heading', { name: `Step ${leaf}:` }).waitFor();
    await page.getByRole('button', { name: 'Play the kept path' }).waitFor();
    expect(page.url()).toContain(`node=${leaf}`);
    await page.close();
  });

  it('[STUDIO-20] colours the tokens of an exchange by their log probability', async () => {
    const page = await visit('#/run/tokens/episode/1?node=1');
    await page.getByText(/Model asked to/).click();
    // exp(-0.1) is 0.90: the surest of five classes.
    expect(await page.locator('.exchange .sure-4').allTextContents()).toEqual(['10', '11']);
    expect(await page.locator('.sure-4').first().getAttribute('title')).toBe('log probability -0.1');
    await page.close();
  });

  it('[STUDIO-9] offers no take-over where the module of the world is gone, and says why', async () => {
    const page = await visit('#/run/lost/episode/1?node=1');
    await page.getByText(/No take-over: The environment "library" cannot be opened/).waitFor();
    await page.getByText('Screen before this step').waitFor();
    expect(await page.getByRole('button', { name: /Take over/ }).count()).toBe(0);
    await page.close();
  });

  it('[STUDIO-22] shows on the card of a run how far it is', async () => {
    const page = await visit('#/');
    const card = page.locator('li.card', { has: page.getByRole('heading', { name: 'live' }) });
    await card.getByText('not finished: collecting, round 1: 0 of 10 episodes').waitFor();
    expect(await card.getByRole('progressbar').getAttribute('max')).toBe('10');
    await page.close();
  });

  it('[STUDIO-20] marks every token of a row that is learned', async () => {
    const page = await visit('#/run/tokens/episode/1?view=rows');
    await page.getByText('2 of 4 tokens are learned').waitFor();
    expect(await page.locator('.tokens .token.learned').allTextContents()).toEqual(['10', '11']);
    expect(await page.locator('.tokens .token.prompt').allTextContents()).toEqual(['1', '2']);
    await page.close();
  });

  it('[STUDIO-19] shows a tree of thousands of steps, with texts for the rows on the screen', async () => {
    const asked: string[] = [];
    const page = await context.newPage();
    page.on('request', request => request.url().includes('/api/texts') && asked.push(request.url()));
    await page.goto(`${studio.url}/#/run/large/episode/1?node=1`);
    await page.locator('.tree[data-steps="2500"]').waitFor();
    await page.getByRole('status').getByText('Friday 1').waitFor({ state: 'attached' });
    await page.getByRole('application').focus();
    await page.keyboard.press('End');
    await page.getByRole('status').getByText('Friday 2500').waitFor({ state: 'attached' });
    await page.getByRole('heading', { name: /^Step 2500: .*Friday 2500/ }).waitFor();
    expect(asked.length).toBeLessThan(5);
    await page.goto(`${studio.url}/#/run/large/episode/1?view=branches`);
    await page.getByRole('cell', { name: /Friday 4"/ }).waitFor();
    await page.close();
  });

  it.each(['light', 'dark'] as const)(
    '[STUDIO-7] has no violation that axe finds, in %s colours',
    async colorScheme => {
      const found: string[] = [];
      const taken = await studio.source.takeOvers.open({
        run: 'one',
        episode: 1,
        node: 0,
        person: 'me',
        replaces: null,
      });
      const views: readonly (readonly [string, string])[] = [
        ['#/', 'Runs'],
        ['#/compare?left=one&right=hostile', 'Passed by one of them only'],
        ['#/run/one?where=steps%20%3E%201', 'Save this view as'],
        ['#/run/one/failures', 'What to do'],
        ['#/run/one/tasks', 'Right ending'],
        ['#/run/one/archive', 'What an export of this run keeps'],
        ['#/run/one/episode/2', 'Step'],
        ['#/run/one/episode/2?view=branches', 'First branch: screen'],
        ['#/run/one/episode/1?view=rows', 'Marked:'],
        ['#/run/tokens/episode/1?view=rows', '2 of 4 tokens are learned'],
        [`#/take-over/${taken.id}`, 'Your branch'],
        ['#/reviews', 'Make a link for another person'],
        ['#/run/lost/episode/1?node=1', 'No take-over'],
      ];
      for (const [route, text] of views) {
        const page = await visit(route);
        await page.emulateMedia({ colorScheme });
        await page.getByText(text).first().waitFor();
        found.push(
          ...(await violations(page, colorScheme === 'dark' ? { runOnly: ['color-contrast'] } : {})).map(
            one => `${route} ${one}`,
          ),
        );
        await page.close();
      }
      const page = await visit('#/run/one/report');
      await page.emulateMedia({ colorScheme });
      const frame = page.frameLocator('iframe.report');
      await frame.getByRole('heading').first().waitFor();
      const [, report] = page.frames();
      found.push(...(await violations(page)), ...(await violations(report as Frame)).map(one => `report ${one}`));
      await page.close();
      await studio.source.takeOvers.drop(taken.id);
      expect(found).toEqual([]);
    },
  );

  it('[STUDIO-2] shows hostile texts as text: markup, scripts, control characters, and lines of 10 MB', async () => {
    const page = await visit('#/run/hostile/episode/1?node=1');
    await page.getByRole('heading', { name: /Step 1: <img src=x onerror/ }).waitFor();
    await page.getByText('Screen before this step').waitFor();
    expect(await page.locator('pre.screen').last().textContent()).toContain(
      '<script>document.title="broken"</script>␛[31m�␀</pre>',
    );
    await page.goto(`${studio.url}/#/run/hostile/episode/2?node=1`);
    await page.getByText('The first 200,000 of 10,000,000 characters.').first().waitFor();
    await page.goto(`${studio.url}/#/run/hostile/episode/1?view=branches`);
    await page.getByText('First branch: screen').waitFor();
    await page.goto(`${studio.url}/#/run/hostile?text=${encodeURIComponent(attack)}`);
    await page.getByText(/0 of 2 episodes/).waitFor();
    expect(await page.title()).toBe('Espalier studio');
    expect(await page.locator('img, script[src="x"]').count()).toBe(0);
    await page.close();
  });

  it('[STUDIO-2] says nothing in the console on any of these ways', () => {
    expect(noise).toEqual([]);
  });

  it('[STUDIO-8] follows a run while it is written, and comes back after the connection was lost', async () => {
    const page = await visit('#/run/live');
    await page.getByRole('heading', { name: '1 of 1 episodes' }).waitFor();
    const [, second, third] = await studioEpisodes();
    writeRun(join(folder, 'live'), [second as StoredEpisode]);
    await page.getByRole('heading', { name: '2 of 2 episodes' }).waitFor();
    const port = Number(new URL(studio.url).port);
    await studio.close();
    await page.getByText('Connection lost. Trying again …').waitFor();
    // What could not be loaded meanwhile comes by itself.
    await page.evaluate(() => (location.hash = '#/run/live/failures'));
    await page.getByText('The studio does not answer').waitFor();
    studio = await openStudio(folder, port);
    await expect.poll(() => page.getByText('Connection lost').count(), { timeout: 15_000 }).toBe(0);
    await page.getByRole('heading', { name: 'Why episodes fail' }).waitFor();
    await page.evaluate(() => (location.hash = '#/run/live'));
    writeRun(join(folder, 'live'), [third as StoredEpisode]);
    await page.getByRole('heading', { name: '3 of 3 episodes' }).waitFor();
    await page.close();
  });
});
