import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReportData } from '../src/analysis/report/data.ts';
import { writeReport } from '../src/analysis/report/write-report.ts';
import { launchChromium } from './chromium.ts';
import { collectReport, demoReport, hostile } from './fixtures/report-data.ts';

const folder = mkdtempSync(join(tmpdir(), 'espalier-report-'));
let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});

afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

interface Visit {
  readonly page: Page;
  readonly address: string;
  /** Console messages, errors and requests. */
  readonly noise: readonly string[];
}

async function visit(data: ReportData, width = 1280, colorScheme: 'light' | 'dark' = 'light'): Promise<Visit> {
  const file = join(folder, 'report.html');
  writeFileSync(file, writeReport(data));
  const address = pathToFileURL(file).href;
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
  const noise: string[] = [];
  page.on('console', message => noise.push(`console: ${message.text()}`));
  page.on('pageerror', error => noise.push(`error: ${error.message}`));
  page.on('request', request => noise.push(request.url()));
  await page.goto(address);
  return { page, address, noise };
}

/** Elements that stick out of the page to the right, unless they lie in a part that scrolls or is cut by itself. */
const overflowing = `[...document.querySelectorAll('body *')].filter(element => {
  for (let at = element.parentElement; at !== null; at = at.parentElement)
    if (getComputedStyle(at).overflowX !== 'visible') return false;
  return element.getBoundingClientRect().right > innerWidth + 0.5;
}).map(element => element.outerHTML.slice(0, 80))`;

describe('the report in Chromium', () => {
  it('[REP-4] opens from a file, asks for nothing else and says nothing in the console', async () => {
    for (const data of [demoReport(), collectReport()]) {
      const { page, address, noise } = await visit(data);
      await page.locator('.step').first().hover();
      await page.locator('.step').last().click();
      expect(noise).toEqual([address]);
      expect(await page.title()).toBe(data.title);
      await page.close();
    }
  });

  it('[REP-8] draws a point for every estimate, a line for every arm and baseline, and names them', async () => {
    const { page } = await visit(demoReport());
    const chart = page.locator('.chart');
    expect(await chart.count()).toBe(4);
    for (const figure of await chart.all()) {
      expect(await figure.locator('.point').count()).toBe(4 * 6);
      expect(await figure.locator('.band').count()).toBe(4);
      expect(await figure.locator('.rule').count()).toBe(3);
      expect((await figure.locator('.name').allTextContents()).toSorted()).toEqual(
        ['Imitation', 'K = 1', 'K = ∞', 'SRC, K = 3', 'blind replay', 'planner', 'random'].toSorted(),
      );
    }
    await page.locator('#curve summary').click();
    expect(await page.locator('#curve tbody tr:visible').count()).toBe(4 * 6 + 3);
    await page.close();
  });

  it('[REP-5] shows the claims with whether they hold', async () => {
    const { page } = await visit(demoReport());
    expect(await page.locator('.claims li').count()).toBe(4);
    expect(await page.locator('.claims .fails').innerText()).toContain('held-out templates. does not hold');
    await page.close();
  });

  it('[REP-10] shows every step of a tree, and tells about the one pointed at or tabbed to', async () => {
    const data = demoReport();
    const { page } = await visit(data);
    const steps = await page.locator('.step').all();
    expect(steps).toHaveLength(data.gallery.flatMap(({ nodes }) => nodes).length);
    for (const step of steps) {
      const box = await step.boundingBox();
      expect(box?.width).toBeGreaterThan(100);
      expect(box?.height).toBeGreaterThan(20);
    }
    const card = page.locator('#tree-0');
    expect(await card.locator('svg .dot').count()).toBe(11);
    expect(await card.locator('.badge').allTextContents()).toEqual(['✓ passes', '✓ passes']);
    await card.locator('.step').nth(7).hover();
    expect(await card.locator('.details').innerText()).toContain('In the place of step 4');
    await card.locator('.step').nth(3).focus();
    expect(await card.locator('.details').innerText()).toContain('Rejected: checks out before the coupon is entered');
    expect(await card.locator('.details code').innerText()).toBe(data.gallery[0]?.nodes[3]?.digest);
    await page.close();
  });

  it('[REP-3] shows what a hostile instruction says and does not do it', async () => {
    const { page } = await visit(demoReport());
    expect(await page.locator('#tree-1 h3').textContent()).toBe(hostile);
    await page.locator('#tree-1 .step').nth(6).hover();
    expect(await page.locator('#tree-1 .what').textContent()).toContain('<script>');
    expect(await page.title()).not.toBe('owned');
    await page.close();
  });

  it.each([1280, 390])('[REP-11] fits a screen of %i pixels, light and dark', async width => {
    const pictures: Buffer[] = [];
    for (const scheme of ['light', 'dark'] as const) {
      const { page } = await visit(demoReport(), width, scheme);
      expect(await page.evaluate(overflowing)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      pictures.push(await page.screenshot({ fullPage: true }));
      await page.close();
    }
    const [light, dark] = pictures as [Buffer, Buffer];
    expect(light.length).toBeGreaterThan(100_000);
    expect(light.equals(dark)).toBe(false);
  });
});
