import { setTimeout as wait } from 'node:timers/promises';
import { findBrowser } from '../../../../src/envs/web/browser/find-browser.ts';

/** A browser without any containment: an attack that does not get out of this one either proves nothing. */
export interface BareBrowser {
  visit(url: string): Promise<void>;
  close(): Promise<void>;
}

const flags = ['--no-sandbox', '--disable-gpu', '--disable-popup-blocking'];

export async function openBareBrowser(path?: string): Promise<BareBrowser> {
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({ executablePath: findBrowser(path), args: flags });
  return {
    async visit(url) {
      const context = await browser.newContext();
      try {
        const page = await context.newPage();
        // Some pages are gone before they are there.
        await page.goto(url, { timeout: 5000 }).catch(() => null);
        await wait(700);
        const button = page.locator('button').first();
        await button.click({ timeout: 300 }).catch(() => null);
        await wait(500);
        await page.close();
        await wait(200);
      } finally {
        await context.close();
      }
    },
    close: () => browser.close(),
  };
}
