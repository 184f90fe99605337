import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../../../../../test/chromium.ts';
import { createStateVerifier, runControls } from './controls.ts';
import { createWaiFiles } from './files.ts';
import { readWaiFolder } from './folder.ts';
import { createVerifierPool } from '../../../python/pool.ts';
import { createWaiServer, pageHeader } from './server.ts';

const pool = createVerifierPool({
  workers: 2,
  timers: { after: () => () => undefined },
  deadlineMilliseconds: 60_000,
});
let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  await pool.close();
});

type Run = (page: Page) => Promise<unknown>;

/** How each task of each app is done, by a person who knows how. */
const ways: Record<string, Record<string, Run>> = {
  notes: {
    'real-task-e1': page => page.getByRole('article', { name: 'Garden ideas' }).getByText('Pin').click(),
    'real-task-e2': page => page.getByRole('article', { name: 'Retro' }).getByText('Delete').click(),
    'real-task-m1': async page => {
      await page.getByText('New note').click();
      await page.getByLabel('Title').fill('Groceries');
      await page.getByLabel('Text').fill('flour, eggs, pears');
      await page.getByText('Save note').click();
    },
    'real-task-m2': async page => {
      await page.getByRole('article', { name: 'Lease' }).getByText('Unpin').click();
      await page.getByRole('article', { name: 'Garden ideas' }).getByText('Pin').click();
    },
    'real-task-h1': async page => {
      await page.getByRole('button', { name: '#old' }).click();
      await page.getByRole('article', { name: 'boarding' }).getByText('Archive').click();
      await page.getByRole('article', { name: 'router' }).getByText('Archive').click();
    },
  },
  board: {
    'real-task-e1': page => card(page, 'beeswax').getByText('Move on').click(),
    'real-task-e2': async page => {
      await page.getByLabel('New card in Waiting').fill('Oil the hinges');
      await page.keyboard.press('Enter');
    },
    'real-task-m1': async page => {
      await card(page, 'table top').getByText('Open').click();
      await page.getByLabel('Urgent', { exact: true }).check();
      await page.getByText('Keep changes').click();
    },
    'real-task-h1': async page => {
      await card(page, 'oak chair').getByText('Open').click();
      await page.getByLabel('Urgent', { exact: true }).uncheck();
      await page.getByText('Keep changes').click();
      await card(page, 'oak chair').getByText('Move on').click();
    },
    'function-task-e1': async page => {
      await card(page, 'bookcase').getByText('Open').click();
      await page.getByText('Delete card').click();
    },
  },
  silent: {
    'real-task-e1': page => save(page),
    'real-task-e2': async page => {
      for (let half = 0; half < 2; half++) await page.getByLabel('More Harbour').click();
      await save(page);
    },
    'real-task-m1': async page => {
      for (let half = 0; half < 6; half++) await page.getByLabel('Less Archive').click();
      await save(page);
    },
    'real-task-h1': async page => {
      await page.getByText('Estimate the rest').click();
      await page.getByText('Not saved').waitFor();
      await save(page);
    },
  },
  hostile: {
    'real-task-e1': async page => {
      page.once('dialog', dialog => dialog.accept());
      await page.getByLabel('Delete Test ticket').click();
    },
    'real-task-e2': async page => {
      page.once('dialog', dialog => dialog.accept());
      await page.getByText('Announce').click();
    },
    'real-task-m1': async page => {
      page.once('dialog', dialog => dialog.accept('Lift badge'));
      await page.getByLabel('Rename Badge').click();
    },
    'real-task-m2': page => page.getByText('Import legacy').click(),
    'real-task-h1': page => page.getByText('Close all tickets').click(),
  },
};

function card(page: Page, title: string) {
  return page.getByRole('article').filter({ hasText: title });
}

async function save(page: Page): Promise<void> {
  await page.getByText('Save', { exact: true }).click();
  await page.getByText('Saved 1 times').waitFor();
}

describe('the fixture apps', () => {
  for (const [app, runs] of Object.entries(ways))
    it(`[WAI-12] ${app}: every task fails on the seed and passes when it is done in a real page`, async () => {
      const folder = await readWaiFolder(join(import.meta.dirname, '../../../../../test/fixtures/wai', app));
      const files = createWaiFiles(folder.path);
      const verify = createStateVerifier({ folder, pool });
      expect(Object.keys(runs)).toEqual(folder.tasks.map(({ template }) => template));
      for (const task of folder.tasks) {
        const server = await createWaiServer({ files });
        const context = await browser.newContext({ extraHTTPHeaders: { [pageHeader]: server.token } });
        const page = await context.newPage();
        const errors: unknown[] = [];
        page.on('pageerror', error => errors.push(error));
        await page.goto(server.url);
        await expect.poll(() => server.pushes(), { timeout: 60_000 }).toBe(1);
        const seed = server.seed()!;
        const report = await runControls({ tasks: [task], seedState: () => Promise.resolve(seed), verify }, 1);
        expect(report).toEqual({ tasks: 1, passing: [], broken: [], unsteady: [] });
        await runs[task.template]!(page);
        const passed = async () => (await verify(task, server.state()!)).passed;
        await expect.poll(passed, { timeout: 60_000, message: task.template }).toBe(true);
        expect(errors).toEqual([]);
        expect([server.refused(), server.faults()]).toEqual([0, []]);
        await context.close();
        await server.close();
      }
    });
});
