import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeReport } from '../src/analysis/report/write-report.ts';
import { launchChromium } from './chromium.ts';
import { picturedReport } from './fixtures/pictures/pictured-report.ts';

const folder = mkdtempSync(join(tmpdir(), 'espalier-report-pictures-'));
const { data, pictures } = picturedReport();
const file = join(folder, 'report.html');
const address = pathToFileURL(file).href;
let browser: Browser;

beforeAll(async () => {
  writeFileSync(file, writeReport(data, { pictures: hash => pictures.get(hash) ?? null }));
  browser = await launchChromium();
});

afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

async function visit(width = 1280, colorScheme: 'light' | 'dark' = 'light'): Promise<{ page: Page; noise: string[] }> {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
  const noise: string[] = [];
  page.on('console', message => noise.push(`console: ${message.text()}`));
  page.on('pageerror', error => noise.push(`error: ${error.message}`));
  page.on('request', request => noise.push(request.url()));
  await page.goto(address);
  return { page, noise };
}

/** The bytes of the picture that an element shows, once it is decoded, and its size. */
async function shownIn(screen: Locator): Promise<{ bytes: string; width: number }> {
  return screen.evaluate(async element => {
    const source = getComputedStyle(element).backgroundImage.slice(5, -2);
    const image = new Image();
    image.src = source;
    await image.decode();
    return { bytes: source.slice(source.indexOf(',') + 1), width: image.naturalWidth };
  });
}

const bytesOf = (hash: string | undefined): string => Buffer.from(pictures.get(hash ?? '') ?? []).toString('base64');
const stage = (card: Locator): Locator => card.locator('.shot:visible .screen');

describe('screenshots of a report in Chromium', () => {
  it('[PIC-12] the step that is pointed at shows the screenshot it was taken on, rejected steps too', async () => {
    const { page, noise } = await visit();
    for (const [place, tree] of data.gallery.slice(0, 2).entries()) {
      const card = page.locator(`#tree-${place}`);
      for (const [row, node] of tree.nodes.entries()) {
        await card.locator('.step').nth(row).hover();
        expect(await stage(card).count()).toBe(1);
        expect(await shownIn(stage(card))).toEqual({ bytes: bytesOf(node.shot?.hash), width: 320 });
        expect(await card.locator('.shot:visible').getAttribute('data-node')).toBe(String(node.id));
        expect(await stage(card).getAttribute('class')).toContain(node.status);
        expect(await card.locator('.what').textContent()).toBe(node.text);
      }
    }
    expect(noise).toEqual([address]);
    await page.close();
  });

  it('[PIC-12] draws the step where it was taken', async () => {
    const { page } = await visit();
    const card = page.locator('#tree-0');
    await card.locator('.step').nth(3).hover();
    const screen = await stage(card).boundingBox();
    const frame = await stage(card).locator('.ink rect').boundingBox();
    const scale = (screen?.width ?? 0) / 320;
    const [x, y] = [(frame?.x ?? 0) - (screen?.x ?? 0), (frame?.y ?? 0) - (screen?.y ?? 0)].map(part => part / scale);
    const target = data.gallery[0]?.nodes[3]?.shot?.target;
    for (const [drawn, recorded] of [
      [x, target?.x],
      [y, target?.y],
      [(frame?.width ?? 0) / scale, target?.width],
      [(frame?.height ?? 0) / scale, target?.height],
    ]) {
      expect(Math.abs((drawn ?? NaN) - (recorded ?? NaN))).toBeLessThan(6);
    }
    await page.close();
  });

  it('[PIC-12] a film follows the path that was kept; clicking a screenshot selects its step', async () => {
    const { page } = await visit();
    const card = page.locator('#tree-0');
    const kept = data.gallery[0]?.nodes.filter(({ status }) => status !== 'rolled-back') ?? [];
    const frames = card.locator('.film .frame');
    expect(await frames.count()).toBe(kept.length);
    for (const [place, node] of kept.entries()) {
      expect(await shownIn(frames.nth(place).locator('.screen'))).toMatchObject({ bytes: bytesOf(node.shot?.hash) });
      await frames.nth(place).click();
      expect(await card.locator('.what').textContent()).toBe(node.text);
      expect(await card.locator('.step[aria-current]').getAttribute('data-node')).toBe(String(node.id));
      expect(await frames.nth(place).getAttribute('aria-current')).toBe('true');
    }
    await page.close();
  });

  it('[PIC-12] goes by keyboard: one stop for the film, arrows along it', async () => {
    const { page } = await visit();
    const card = page.locator('#tree-0');
    const frames = card.locator('.film .frame');
    const last = (await frames.count()) - 1;
    expect(await card.locator('.frame[tabindex="0"]').count()).toBe(1);
    await card.locator('.step').last().focus();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.className')).toContain('frame');
    await page.keyboard.press('Home');
    for (const [key, place] of [
      ['ArrowRight', 1],
      ['ArrowRight', 2],
      ['ArrowLeft', 1],
      ['End', last],
      ['ArrowRight', last],
    ] as const) {
      await page.keyboard.press(key);
      expect(await frames.nth(place).evaluate(frame => frame === document.activeElement)).toBe(true);
      expect(await card.locator('.shot:visible').getAttribute('data-node')).toBe(
        await frames.nth(place).getAttribute('data-node'),
      );
      // However long the film is, what is selected can be seen.
      const [film, frame] = [await card.locator('.film').boundingBox(), await frames.nth(place).boundingBox()];
      expect(frame?.x).toBeGreaterThanOrEqual((film?.x ?? 0) - 0.5);
      expect((frame?.x ?? 0) + (frame?.width ?? 0)).toBeLessThanOrEqual((film?.x ?? 0) + (film?.width ?? 0) + 0.5);
    }
    await page.close();
  });

  it.each([1280, 390])('[PIC-12] fits a screen of %i pixels, light and dark', async width => {
    for (const scheme of ['light', 'dark'] as const) {
      const { page } = await visit(width, scheme);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      for (const screen of await page.locator('.shot:visible .screen').all()) {
        const box = await screen.boundingBox();
        expect(box?.width).toBeGreaterThan(200);
        expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
        expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(320 / 200, 1);
      }
      await page.close();
    }
  });

  it('[PIC-12] on a narrow screen the screenshot stays in sight while the steps of its tree go by', async () => {
    const { page } = await visit(390);
    const card = page.locator('#tree-0');
    const step = card.locator('.step').last();
    await step.scrollIntoViewIfNeeded();
    await step.click();
    const box = await stage(card).boundingBox();
    expect(box?.y).toBeGreaterThanOrEqual(0);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(900);
    await page.close();
  });
});
